"""Train a head for pairs of texts over an unchanged model: a classifier, or a next-sentence head.

(here)          HeadRecipe; the values for low-rank deltas, and those for training all weights
tables          labelled pairs from a table, or adjacent sentences and others from running text
pairs           pairs as token ids, split, in batches of similar length
trainer         train_head: the network, its deltas, loss and rates; the folder of a head (`pairlens.models.heads`)
"""

import math
from dataclasses import dataclass

from pairlens.errors import InputError

__all__ = ["FULL", "LOW_RANK", "HeadRecipe"]


@dataclass(frozen=True)
class HeadRecipe:
    """Rates and sizes of a training. `rank` 0 trains every weight of the base.

    `core_rate` is the learning rate of the base's deltas, `head_rate` that of the head; both rise over `warm_up` of
    the steps and then fall with a cosine to 0. A batch has `rows` pairs; pairs of more than `longest` tokens are left
    out. `clip` bounds the gradient's norm.
    """

    rank: int = 12
    core_rate: float = 2e-3
    head_rate: float = 2e-3
    rows: int = 32
    epochs: float = 1.0
    longest: int = 128
    warm_up: float = 0.05
    weight_decay: float = 0.01
    clip: float = 1.0
    validation_share: float = 0.05
    seed: int = 27

    def __post_init__(self) -> None:
        """InputError, in one sentence, for values that cannot work."""
        if self.rank < 0 or self.rows < 1 or self.longest < 8:
            raise InputError("The rank must be 0 or more, a batch 1 pair or more, a pair 8 tokens or more.")
        if not all(0 < value < math.inf for value in (self.epochs, self.core_rate, self.head_rate)):
            raise InputError("Epochs and learning rates must be more than zero.")
        if self.seed < 0:
            raise InputError(f"The seed must not be less than 0, as {self.seed} is.")
        if not 0 < self.validation_share < 1:
            raise InputError("The share that is held out for validation must lie between 0 and 1.")


LOW_RANK = HeadRecipe()
"""For low-rank deltas, with the same rate as the head."""
FULL = HeadRecipe(rank=0, core_rate=5e-6, head_rate=1e-3, rows=16, longest=256, warm_up=0.01, weight_decay=0.01)
"""For all weights: rates, batch, length, clipping and seed of Öztürk et al. 2023 for next-sentence heads."""
