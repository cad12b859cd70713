"""Two models on the same pairs: is the difference of their accuracies more than chance?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.errors import InputError
from core.statistics.intervals import Interval
from core.statistics.paired import Discordant, difference_over_items, discordant
from core.studies.nli.evaluated import Evaluation


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second over the `n` pairs that both answered; `interval` is of the paired bootstrap over pairs."""

    n: int
    accuracy_a: float
    accuracy_b: float
    interval: Interval
    discordant: Discordant

    @property
    def difference(self) -> float:
        """In fractions of one, -1 to 1."""
        return self.accuracy_a - self.accuracy_b

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "n": self.n,
            "accuracy": self.accuracy_a,
            "accuracy_of_second": self.accuracy_b,
            "difference": self.difference,
            "difference_interval": [self.interval.low, self.interval.high],
            "only_first_right": self.discordant.only_a,
            "only_second_right": self.discordant.only_b,
            "mcnemar_p": self.discordant.p,
        }


def compare(first: Evaluation, second: Evaluation) -> Difference:
    """Compare two evaluations pair by pair. Raises InputError if they tell other classes apart, or share no pair."""

    if first.classes != second.classes:
        raise InputError(
            f"they are judged by different classes ({', '.join(first.classes)}; {', '.join(second.classes)}), so "
            "their accuracies do not compare."
        )
    columns = ["id", "gold_class", "correct"]
    both = first.answers[columns].merge(second.answers[columns], on="id", suffixes=("_a", "_b"))
    if both.empty:
        raise InputError("the two have no pair in common.")
    if (both["gold_class_a"] != both["gold_class_b"]).any():
        raise InputError("the two have other gold labels for the same pairs.")
    a, b = both["correct_a"].astype("float64"), both["correct_b"].astype("float64")
    one_stratum = pd.Series("", index=both.index)
    interval = difference_over_items(a - b, one_stratum, both["id"])
    return Difference(len(both), float(a.mean()), float(b.mean()), interval, discordant(a, b))
