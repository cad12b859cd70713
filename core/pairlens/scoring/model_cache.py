"""Opened scorers, kept ready for pages within a memory limit, one forward pass at a time; how long texts take."""

import gc
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pairlens.models import checkpoint
from pairlens.models.resolve import base_of
from pairlens.scorers import tell
from pairlens.scoring.recipe import Recipe
from pairlens.types import Model, Predictor, Scorer

_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
"""Bytes of a number in memory."""
_PATIENCE = 0.5
"""Seconds between two signs that a text waits for its turn."""


@contextmanager
def _taken(turn: threading.RLock) -> Iterator[None]:
    """Hold the turn, for which one who waits can stop waiting."""
    while not turn.acquire(timeout=_PATIENCE):
        tell(0, 0)
    try:
        yield
    finally:
        turn.release()


def _in_turn(scorer: Scorer, turn: threading.RLock) -> Scorer:
    """The scorer, which now waits for its turn: simultaneous forward passes only slow each other down."""

    def waiting(run: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        with _taken(turn):
            return run(*arguments, **named)

    for name in ("score", "expect") if isinstance(scorer, Predictor) else ("score",):
        setattr(scorer, name, partial(waiting, getattr(scorer, name)))
    return scorer


@dataclass(frozen=True, slots=True)
class Held:
    """A scorer in memory, its recipe, and the megabytes of its weights."""

    recipe: Recipe
    scorer: Scorer
    megabytes: float


class ModelCache:
    """Scorers by fingerprint. Beyond `megabytes`, the least recently used one is dropped; it stays valid in use."""

    def __init__(self, megabytes: float) -> None:
        self._megabytes = megabytes
        self._turn = threading.RLock()
        self._scorers: OrderedDict[str, Held] = OrderedDict()

    def scorer(self, recipe: Recipe) -> Scorer:
        with _taken(self._turn):
            if recipe.fingerprint not in self._scorers:
                size, before = memory_megabytes(recipe), len(self._scorers)
                while self._scorers and sum(one.megabytes for one in self.held()) + size > self._megabytes:
                    self._scorers.popitem(last=False)
                if len(self._scorers) < before:
                    gc.collect()  # networks have reference cycles: their weights would stay until a later collection
                self._scorers[recipe.fingerprint] = Held(recipe, _in_turn(recipe.open(), self._turn), size)
            self._scorers.move_to_end(recipe.fingerprint)
            return self._scorers[recipe.fingerprint].scorer

    def holds(self, recipe: Recipe) -> bool:
        return recipe.fingerprint in self._scorers

    def held(self) -> list[Held]:
        return list(self._scorers.values())

    def let_go(self, fingerprint: str) -> None:
        """Free a scorer's memory after the current forward pass."""
        with self._turn:
            if self._scorers.pop(fingerprint, None):
                gc.collect()


def memory_megabytes(recipe: Recipe) -> float:
    width = _BYTES[recipe.policy.dtype]
    return width * checkpoint.parameters(_weights(recipe.model)) / 1e6


def weight_megabytes(model: Model) -> float:
    return sum(path.stat().st_size for path in _weights(model)) / 1e6


def _weights(model: Model) -> list[Path]:
    """The weight files of a model and of its base, if it is a head or an adapter."""
    return [path for folder in {model.folder, base_of(model).folder} for path in checkpoint.weight_files(folder)]


_PER_SECOND = 10_000.0
"""Tokens that a model of 12 MB reads in a second on one core."""
_MEGABYTES = 12.0
_WINDOW = 512


def rough_length(text: str) -> int:
    """An estimate of a text's number of tokens without a tokenizer: one per word or per four characters."""
    return max(len(text.split()), len(text) // 4)


def expected_seconds(texts: Sequence[str], recipe: Recipe) -> float:
    """How long scoring takes, loading apart; a masked model reads the text, or its window, once for each token."""
    lengths = [rough_length(text) for text in set(texts)]
    window = min(int(recipe.model.card.get("context") or _WINDOW), _WINDOW)
    read = sum(n * min(n + 2, window) for n in lengths) if "pll" in recipe.kind.reads else sum(lengths)
    return read / _PER_SECOND * max(1.0, weight_megabytes(recipe.model) / _MEGABYTES)
