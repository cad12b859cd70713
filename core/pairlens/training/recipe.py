"""The recipe of a training, its progress, sizes of models by name, and what a given time buys on this machine."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from pairlens.errors import InputError, unknown
from pairlens.settings import settings

Precision = Literal["float32", "bfloat16"]


@dataclass(frozen=True)
class TrainingRecipe:
    """A small language model, from its tokenizer to its learning rates.

    Lengths are in tokens, rates per optimizer step, fractions of the whole run. Exactly one of
    `steps` and `minutes` is the budget. A masked model reads `causal_share` of its rows from left to
    right. Rates and shapes follow Jordan et al. 2024 (Muon).
    """

    kinds: ClassVar[tuple[str, ...]] = ("causal", "masked")
    kind: str = "causal"
    vocabulary: int = 10240
    lower_case: bool = True
    width: int = 192
    layers: int = 6
    heads: int = 3
    feed_forward: int = 512
    context: int = 128
    batch_tokens: int = 4096
    matrix_rate: float = 0.02
    vector_rate: float = 0.003
    warm_up: float = 0.02
    cool_down: float = 0.4
    weight_decay: float = 0.01
    mask_share_first: float = 0.30
    mask_share_last: float = 0.15
    causal_share: float = 0.0
    run_share: float = 0.3
    seed: int = 1
    steps: int | None = None
    minutes: float | None = None
    precision: Precision = "bfloat16"
    compiled: bool = True

    def __post_init__(self) -> None:
        if self.kind not in self.kinds:
            raise InputError(f"The kind of model is {' or '.join(self.kinds)}, not {self.kind}.")
        if (self.steps is None) == (self.minutes is None):
            raise InputError("Give the budget as steps or as minutes, one of the two.")
        if not 0 < (self.steps or self.minutes or 0) < math.inf:
            raise InputError("The budget of a training run must be more than zero, and have an end.")
        for name in ("width", "layers", "heads", "feed_forward"):
            if (value := getattr(self, name)) < 1:
                raise InputError(f"The {name.replace('_', ' ')} of a model must be 1 or more, not {value}.")
        if not (0 < self.matrix_rate < math.inf and 0 < self.vector_rate < math.inf):
            raise InputError(f"The learning rate must be more than 0, not {self.matrix_rate:g}.")
        if self.seed < 0:
            raise InputError(f"The seed must not be less than 0, as {self.seed} is.")
        if self.width % (2 * self.heads):
            raise InputError(f"A width of {self.width} does not divide into {self.heads} heads of even size.")
        if self.vocabulary < 300 or self.vocabulary > 65535:
            raise InputError(f"The vocabulary must have 300 to 65,535 entries, not {self.vocabulary}.")
        if self.context < 8 or self.batch_tokens < self.context:
            raise InputError("The context must be 8 tokens or more, and a batch one context or more.")

    @property
    def rows(self) -> int:
        return self.batch_tokens // self.context


@dataclass(frozen=True)
class Progress:
    """One report: losses in nats per token, times in seconds, of heads the share of held-out pairs that are right."""

    stage: Literal["tokenizer", "packing", "training", "saved"]
    fraction: float
    step: int = 0
    tokens: int = 0
    epochs: float = 0.0
    loss: float | None = None
    validation_loss: float | None = None
    tokens_per_second: float = 0.0
    seconds_left: float | None = None
    accuracy: float | None = None


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
    tokens_per_second: float
    measured: bool

    def tokens(self, minutes: float) -> int:
        return round(60 * minutes * self.tokens_per_second)

    def epochs(self, minutes: float, words: int) -> float:
        return self.tokens(minutes) / max(1.0, TOKENS_PER_WORD * words)


def sized(name: str, recipe: TrainingRecipe) -> TrainingRecipe:
    if name not in SIZES:
        raise InputError(unknown("size", name, SIZES))
    return replace(recipe, **SIZES[name].shape)


def speed(name: str) -> Speed:
    """How fast a model of this size learns here: as the last one did, else a cautious guess."""
    known = _measured().get(_key(sized(name, _USUAL)))
    return Speed(known, True) if known else Speed(SIZES[name].first_guess, False)


def remember_speed(recipe: TrainingRecipe, tokens_per_second: float) -> None:
    path = settings().cache / "training-speed.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({**_measured(), _key(recipe): round(tokens_per_second, 1)}, indent=1), "utf-8")
    part.replace(path)


def _measured() -> dict[str, float]:
    try:
        speeds = json.loads((settings().cache / "training-speed.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return speeds if isinstance(speeds, dict) else {}


def _key(recipe: TrainingRecipe) -> str:
    return f"{recipe.layers} layers of {recipe.width}, {recipe.batch_tokens} tokens a step"
