"""What is asked of a training run, and what it reports while it runs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from core.errors import InputError

Kind = Literal["causal", "masked"]
Precision = Literal["float32", "bfloat16"]


@dataclass(frozen=True)
class Recipe:
    """A small language model, from its tokenizer to its learning rates.

    Lengths are in tokens, rates per optimizer step, fractions of the whole run. Exactly one of
    `steps` and `minutes` is the budget. Rates and shapes follow Jordan et al. 2024 (Muon).
    """

    kind: Kind = "causal"
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
    run_share: float = 0.3
    seed: int = 1
    steps: int | None = None
    minutes: float | None = None
    precision: Precision = "bfloat16"
    compiled: bool = True
    start_from: str = ""

    def __post_init__(self) -> None:
        """One sentence for each thing that cannot work."""
        if self.kind not in ("causal", "masked"):
            raise InputError(f"The kind of model is causal or masked, not {self.kind}.")
        if (self.steps is None) == (self.minutes is None):
            raise InputError("Give the budget as steps or as minutes, one of the two.")
        if (self.steps or self.minutes or 0) <= 0:
            raise InputError("The budget of a training run must be more than zero.")
        if self.width % (2 * self.heads):
            raise InputError(f"A width of {self.width} does not divide into {self.heads} heads of even size.")
        if self.vocabulary < 300 or self.vocabulary > 65535:
            raise InputError(f"The vocabulary must have 300 to 65,535 entries, not {self.vocabulary}.")
        if self.context < 8 or self.batch_tokens < self.context:
            raise InputError("The context must be 8 tokens or more, and a batch one context or more.")

    @property
    def rows(self) -> int:
        """Rows of `context` tokens in one batch."""
        return self.batch_tokens // self.context

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Progress:
    """One report from a running training: losses in nats per predicted token, times in seconds."""

    stage: Literal["tokenizer", "packing", "training", "saved"]
    fraction: float
    step: int = 0
    tokens: int = 0
    epochs: float = 0.0
    loss: float | None = None
    validation_loss: float | None = None
    tokens_per_second: float = 0.0
    seconds_left: float | None = None
