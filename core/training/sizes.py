"""Sizes of models trained from scratch, how fast this machine trains them, and what a given time buys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import InputError, unknown
from core.settings import settings
from core.training.recipe import TrainingRecipe

USUAL_MINUTES = 10.0
"""The default budget of a training."""
TOKENS_PER_WORD = 1.3
"""A cautious guess, for want of the tokenizer."""
COMPILED_FROM_MINUTES, COMPILED_FROM_STEPS = 10.0, 500
"""Compiling takes up to a minute and pays off in longer trainings."""
_USUAL = TrainingRecipe(steps=1)


@dataclass(frozen=True, slots=True)
class Size:
    """`shape` holds fields of `TrainingRecipe`; `first_guess` is tokens per second on two processor cores."""

    about: str
    shape: Mapping[str, Any]
    first_guess: float


SIZES: Mapping[str, Size] = {
    "tiny": Size(
        "0.3 million parameters: learns short, simple sentences in minutes",
        {"width": 96, "layers": 3, "heads": 3, "feed_forward": 256, "vocabulary": 2048, "context": 64,
         "batch_tokens": 2048},
        9_000.0,
    ),
    "small": Size(
        "4.6 million parameters, like the bundled models: for real text and an hour or more",
        {"width": _USUAL.width, "layers": _USUAL.layers},
        2_500.0,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens per second, and whether a training on this machine was measured."""

    tokens_per_second: float
    measured: bool

    def tokens(self, minutes: float) -> int:
        """How many tokens a model reads in this time."""
        return round(60 * minutes * self.tokens_per_second)

    def epochs(self, minutes: float, words: int) -> float:
        """How often it reads a text of `words` words in this time."""
        return self.tokens(minutes) / max(1.0, TOKENS_PER_WORD * words)


def sized(name: str, recipe: TrainingRecipe) -> TrainingRecipe:
    """The recipe in the shape of a size; InputError for an unknown one."""
    if name not in SIZES:
        raise InputError(unknown("size", name, SIZES))
    return replace(recipe, **SIZES[name].shape)


def pays_to_compile(recipe: TrainingRecipe) -> bool:
    """Whether the training is long enough for compiling."""
    return (recipe.minutes or 0) >= COMPILED_FROM_MINUTES or (recipe.steps or 0) >= COMPILED_FROM_STEPS


def speed(name: str) -> Speed:
    """How fast a model of this size learns here: as the last one did, else a cautious guess."""
    known = _measured().get(_key(sized(name, _USUAL)))
    return Speed(known, True) if known else Speed(SIZES[name].first_guess, False)


def remember_speed(recipe: TrainingRecipe, tokens_per_second: float) -> None:
    """Keep the speed of a training on this machine."""
    path = settings().cache / "training-speed.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({**_measured(), _key(recipe): round(tokens_per_second, 1)}, indent=1), "utf-8")
    part.replace(path)


def _measured() -> dict[str, float]:
    try:
        found = json.loads((settings().cache / "training-speed.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _key(recipe: TrainingRecipe) -> str:
    """What the speed depends on, as text."""
    return f"{recipe.layers} layers of {recipe.width}, {recipe.batch_tokens} tokens a step"
