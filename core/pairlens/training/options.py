"""Options of a training by epochs, which continues a model or starts again from its configuration."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from pairlens.errors import InputError, unknown

STRATEGIES = ("no", "steps", "epoch")
SEPARATORS = ("eos", "none")
PUBLISHED = "nlpscholar"
WAYS = ("pairlens", PUBLISHED)
_CHOICES = {"eval_strategy": STRATEGIES, "save_strategy": STRATEGIES, "separator": SEPARATORS, "preset": WAYS}
_PIECE = 128
"""Tokens of a piece in NLPScholar, whatever its maxTrainSequenceLength says."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of transformers' Trainer that experiments set, with the defaults of NLPScholar.

    `sample_percent` keeps a part of the documents after shuffling: from 1 on it is per cent, below 1 a fraction (1 is
    one per cent, 0.5 one half); None keeps all. The text is cut into pieces of `max_length` tokens. Between documents
    stands the `separator`: `eos`, the model's end-of-text token, or `none`. `mask_probability` is for masked models.
    `pretrained` = False starts from random weights. `seed` fixes the order of the text, the masks and random weights.
    Under the `preset` nlpscholar text is cut and loss is averaged as in that program, and checkpoints stay in the
    model's folder (`of_preset` has its separator). Raises InputError, in one sentence, for values that cannot work.
    """

    epochs: float = 2
    learning_rate: float = 5e-5
    weight_decay: float = 0.01
    batch_size: int = 16
    max_length: int = 128
    mask_probability: float = 0.15
    sample_percent: float | None = None
    separator: str = "eos"
    seed: int = 23
    eval_strategy: str = "epoch"
    eval_steps: int = 500
    save_strategy: str = "epoch"
    save_steps: int = 500
    load_best_model_at_end: bool = False
    pretrained: bool = True
    preset: str = "pairlens"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if (value := getattr(self, name)) not in choices:
                raise InputError(unknown(name.replace("_", " "), value, choices))
        for name in ("epochs", "learning_rate", "batch_size", "eval_steps", "save_steps"):
            if not 0 < getattr(self, name) < math.inf:
                raise InputError(f"{name.replace('_', ' ')} must be more than 0, not {getattr(self, name)}.")
        if not 0 <= self.weight_decay < math.inf or self.seed < 0:
            raise InputError("weight decay and seed must not be less than 0.")
        if self.max_length < 2:
            raise InputError(f"Pieces of {self.max_length} tokens hold nothing to predict: take 2 or more.")
        if not 0 < self.mask_probability < 1:
            raise InputError(f"The share of masked tokens lies between 0 and 1, {self.mask_probability} does not.")
        if self.sample_percent is not None and not 0 < self.sample_percent <= 100:
            raise InputError(f"A sample of {self.sample_percent} per cent is not between 0 and 100.")
        if self.load_best_model_at_end:
            self._check_best()

    def _check_best(self) -> None:
        """InputError unless every saved state is also measured: else the best one is unknown."""
        if self.eval_strategy == "no" or self.eval_strategy != self.save_strategy:
            raise InputError(
                f"The best model cannot be loaded at the end with eval strategy '{self.eval_strategy}' and save "
                f"strategy '{self.save_strategy}': give both as epoch, or both as steps."
            )
        if self.eval_strategy == "steps" and self.save_steps % self.eval_steps:
            raise InputError(
                f"The best model cannot be loaded at the end if it is saved every {self.save_steps} steps and "
                f"measured every {self.eval_steps}: save at a multiple of the steps between measurements."
            )

    @property
    def published(self) -> bool:
        return self.preset == PUBLISHED

    @property
    def piece(self) -> int:
        return _PIECE if self.published else self.max_length

    @property
    def remark(self) -> str:
        """What becomes of a `max_length` that the published preset does not cut text by; empty for none."""
        if self.max_length == self.piece:
            return ""
        effect = "has no effect here" if self.pretrained else "is only the number of positions of the new model"
        return (
            f"--max-length (maxTrainSequenceLength) {effect}: like NLPScholar, --as nlpscholar cuts text into pieces "
            f"of {self.piece} tokens."
        )

    def stated(self) -> dict[str, Any]:
        """The options as they identify a training: without a preset that changes nothing, which older ones lack."""
        return {name: value for name, value in asdict(self).items() if name != "preset" or self.published}

    def sample(self) -> float:
        percent = 100.0 if self.sample_percent is None else self.sample_percent
        return percent / 100 if percent >= 1 else percent


def of_preset(name: str) -> dict[str, Any]:
    return {"preset": PUBLISHED, "separator": "none"} if name == PUBLISHED else {}
