"""Sizes of models that are trained from nothing, how fast this machine trains them, and what a time buys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from core.errors import InputError, unknown
from core.settings import settings
from core.training.recipe import TrainingRecipe

USUAL_MINUTES = 10.0
"""Of a training about which nothing else is said."""
TOKENS_PER_WORD = 1.3
"""A cautious guess before the tokenizer is there."""
COMPILED_FROM_MINUTES, COMPILED_FROM_STEPS = 10.0, 500
"""Compiling takes up to a minute, and pays in longer trainings."""
_USUAL = TrainingRecipe(steps=1)


@dataclass(frozen=True, slots=True)
class Size:
    """A shape of network, fields of `Recipe`; `first_guess` is tokens per second on two processor cores."""

    title: str
    about: str
    shape: Mapping[str, Any]
    first_guess: float


SIZES: Mapping[str, Size] = MappingProxyType(
    {
        "tiny": Size(
            "tiny",
            "a third of a million numbers: learns short, simple sentences in minutes",
            MappingProxyType(
                {"width": 96, "layers": 3, "heads": 3, "feed_forward": 256, "vocabulary": 2048, "context": 64,
                 "batch_tokens": 2048}
            ),
            9_000.0,
        ),
        "small": Size(
            "small",
            "4.6 million numbers, as the bundled models: for real text, and an hour or more",
            MappingProxyType({"width": _USUAL.width, "layers": _USUAL.layers}),
            2_500.0,
        ),
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens per second, and whether a training on this machine was measured."""

    tokens_per_second: float
    measured: bool

    def tokens(self, minutes: float) -> int:
        """How many tokens a model reads in this time."""
        return round(60 * minutes * self.tokens_per_second)

    def epochs(self, minutes: float, words: int) -> float:
        """How often it reads a text of so many words in this time."""
        return self.tokens(minutes) / max(1.0, TOKENS_PER_WORD * words)


def sized(name: str, recipe: TrainingRecipe) -> TrainingRecipe:
    """The recipe in the shape of a size; InputError for an unknown one."""
    if name not in SIZES:
        raise InputError(unknown("size", name, SIZES))
    return replace(recipe, **SIZES[name].shape)


def pays_to_compile(recipe: TrainingRecipe) -> bool:
    """Whether a training is long enough."""
    return (recipe.minutes or 0) >= COMPILED_FROM_MINUTES or (recipe.steps or 0) >= COMPILED_FROM_STEPS


def speed(name: str) -> Speed:
    """How fast a model of this size learns here: as the last one did, or a cautious first guess."""
    known = _measured().get(_key(sized(name, _USUAL)))
    return Speed(known, True) if known else Speed(SIZES[name].first_guess, False)


def remember_speed(recipe: TrainingRecipe, tokens_per_second: float) -> None:
    """Keep what a training has shown about this machine."""
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
    """What speed depends on."""
    return f"{recipe.layers} layers of {recipe.width}, {recipe.batch_tokens} tokens a step"
