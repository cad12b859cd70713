"""One moment of a training: the margin of each pair, and a sample of the model's text."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core import measures
from core.models import find
from core.policies import Policy
from core.scorers import SCORERS, default_for
from core.scoring.recipe import Recipe
from core.training.learning_curves.pairs import WatchedPair
from core.types import Predictor, Request, Scorer

_PIECES = 24
_CHOICES = 20
"""A sample continues with one of so many likeliest tokens, drawn by their probabilities."""


def measure(folder: Path, pairs: Sequence[WatchedPair], seed: int = 0) -> tuple[list[float], str]:
    """Each pair's margin in bits for the model in `folder`, and a text that it writes (empty unless causal)."""
    recipe = recipe_of(folder)
    scorer = recipe.open()
    return margins(pairs, recipe, scorer), sample(scorer, seed)


def recipe_of(folder: Path) -> Recipe:
    """The model in the folder as Compare uses it."""
    model = find(folder)
    return Recipe(model, SCORERS[default_for(model.kind)], Policy())


def margins(pairs: Sequence[WatchedPair], recipe: Recipe, scorer: Scorer) -> list[float]:
    """The margin of `good` over `bad` in each pair, in bits."""
    if not pairs:
        return []
    requests = [recipe.request(Request("", text)) for pair in pairs for text in (pair.good, pair.bad)]
    values = [measures.sentence_value(one, recipe.policy) for one in scorer.score(requests)]
    return [float(measures.bits(margin)) for margin in np.array(values[::2]) - np.array(values[1::2])]


def sample(scorer: Scorer, seed: int) -> str:
    """A few words sampled from the start of a text; empty for a model without next-token predictions."""
    if not isinstance(scorer, Predictor) or scorer.start is None:
        return ""
    chance, ids = random.Random(seed), list[int]()
    ends = scorer.tokenizer.reserved
    for _ in range(_PIECES):
        expected = scorer.expect([tuple(ids)], _CHOICES)
        choices, weights = expected.ids[0].tolist(), np.exp(expected.logprobs[0]).tolist()
        ids.append(chance.choices(choices, weights)[0])
        if ids[-1] in ends:
            ids.pop()
            break
    return str(scorer.tokenizer.backend.decode(ids, skip_special_tokens=True)).strip()
