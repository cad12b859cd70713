"""How long typed texts will take, before anything is loaded: a rough figure, on the careful side."""

from __future__ import annotations

from collections.abc import Sequence

from core.scoring.model_cache import weight_megabytes
from core.scoring.recipe import Recipe

_PER_SECOND = 10_000.0
"""Tokens that a model of 12 MB reads in a second on one core."""
_MEGABYTES = 12.0
_WINDOW = 512


def rough_length(text: str) -> int:
    """An estimate of a text's number of tokens without a tokenizer: one per word or per four characters."""
    return max(len(text.split()), len(text) // 4)


def expected_seconds(texts: Sequence[str], recipe: Recipe) -> float:
    """How long scoring these texts will take, the loading of the model apart.

    A masked model reads the text, or its window, once for each token.
    """
    lengths = [rough_length(text) for text in set(texts)]
    window = min(int(recipe.model.card.get("context") or _WINDOW), _WINDOW)
    read = sum(n * min(n + 2, window) for n in lengths) if "pll" in recipe.kind.reads else sum(lengths)
    return read / _PER_SECOND * max(1.0, weight_megabytes(recipe.model) / _MEGABYTES)
