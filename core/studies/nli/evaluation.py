"""How a model's answers agree with gold labels: the classes told apart, every number, beside the majority."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from core.files.labels import Cell, system_of
from core.statistics.intervals import LEVEL
from core.studies.nli import metrics
from core.studies.nli.diagnostics import Diagnostics
from core.studies.nli.intervals import Bounds, rare
from core.studies.nli.metrics import Counts, Relatedness

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a chooser that knows less would get; `how` says what it does."""

    name: str
    how: str
    accuracy: float
    macro_f1: float


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """How a model's answers agree with the gold labels, by the rules of `cell`; shares are fractions of one.

    `answers`: one row per evaluated pair: `id`, `gold` (the data's label), `forward`, `reverse` (the model's labels,
    empty where not asked), `gold_class`, `answer` (classes), `correct`, `related_set` (`core.files.nli.items`).
    `matrix` counts `answer` by `gold_class` (`core.studies.nli.metrics`). `unmatched` names what is not in it, by the
    reason. Intervals hold at `LEVEL`, over related sets: `over_items` for the accuracy, `over_sets`
    (`core.studies.nli.intervals`) for the others; NaN where there is one set only, and for macro-F1 where there are
    `rare_classes`. `freedom`: the degrees of freedom of the accuracy's variance.
    """

    data: str
    model: str
    cell: Cell
    answers: pd.DataFrame
    matrix: Counts
    accuracy_interval: Bounds
    macro_f1_interval: Bounds
    mcc_interval: Bounds
    freedom: float
    majority: Baseline
    relatedness: Relatedness
    diagnostics: Diagnostics
    unmatched: Mapping[str, Sequence[str]]
    by_position: bool = False

    @property
    def n(self) -> int:
        """Pairs that are evaluated."""
        return len(self.answers)

    @property
    def n_sets(self) -> int:
        """Related sets of the pairs: as many as there are pairs where no two share a sentence."""
        return self.answers["related_set"].nunique()

    @property
    def classes(self) -> tuple[str, ...]:
        """What is told apart."""
        return self.cell.classes

    @property
    def rare_classes(self) -> dict[str, int]:
        """The classes with too few pairs to know their F1, and how many there are."""
        return {self.classes[place]: n for place, n in rare(self.matrix)}

    @property
    def balance(self) -> dict[str, float]:
        """The share of pairs with each class as their gold label."""
        return {
            name: int(n) / self.n for name, n in zip(self.classes, self.matrix.sum(axis=1), strict=True) if self.n
        }

    @property
    def accuracy(self) -> float:
        """The share of pairs that are right."""
        return float(metrics.accuracy(self.matrix))

    @property
    def macro_f1(self) -> float:
        """The mean of the classes' F1, over those that occur in the gold labels."""
        return float(metrics.macro_f1(self.matrix))

    @property
    def mcc(self) -> float:
        """Matthews' correlation, -1 to 1."""
        return float(metrics.mcc(self.matrix))

    def per_class(self) -> pd.DataFrame:
        """One row per class: `class`, `n` (gold), `answered`, `precision`, `recall`, `f1`."""

        matrix = self.matrix
        return pd.DataFrame(
            {
                "class": self.classes,
                "n": matrix.sum(axis=1),
                "answered": matrix[:, : len(self.classes)].sum(axis=0),
                "precision": metrics.precision(matrix),
                "recall": metrics.recall(matrix),
                "f1": metrics.f1(matrix),
            }
        )

    def confusion(self) -> pd.DataFrame:
        """Counts by gold class (rows) and answer (columns), after translation."""
        return _crossed(self.answers, "gold_class", "answer", self.classes)

    def confusion_before(self) -> pd.DataFrame:
        """Counts by the data's own label (rows) and what the model said (columns), in both directions if asked."""
        asked = self.cell.needs_reverse
        said = self.answers["forward"] + (" / " + self.answers["reverse"] if asked else "")
        return _crossed(self.answers.assign(said=said), "gold", "said", system_of(self.data).labels)

    def as_dict(self) -> dict[str, Any]:
        """Everything but the single answers, for JSON: what has no value is None."""
        described: dict[str, Any] = {
            "accuracy": self.accuracy,
            "macro_f1": self.macro_f1,
            "mcc": self.mcc,
            "n": self.n,
            "n_related_sets": self.n_sets,
            "classes": list(self.classes),
            "accuracy_interval": list(self.accuracy_interval),
            "macro_f1_interval": list(self.macro_f1_interval),
            "mcc_interval": list(self.mcc_interval),
            "interval_level": LEVEL,
            "majority_baseline": asdict(self.majority),
            "per_class": {row.pop("class"): row for row in self.per_class().to_dict("records")},
            "confusion": self.confusion().to_dict("index"),
            "confusion_before_translation": self.confusion_before().to_dict("index"),
            "relatedness": asdict(self.relatedness) if self.relatedness.n else None,
            "diagnostics": self.diagnostics.as_dict(),
            "unmatched": {reason: list(ids) for reason, ids in self.unmatched.items()},
            "settings": {
                "gold_system": self.data,
                "model_system": self.model,
                "mode": self.cell.mode,
                "gold_rule": self.cell.gold_rule,
                "prediction_rule": self.cell.prediction_rule,
                "rules_in_words": self.cell.words,
                "original_classes": self.cell.reason or "evaluated",
                "matched": "by position" if self.by_position else "by id",
            },
        }
        return {name: _without_nan(value) for name, value in described.items()}


def _crossed(table: pd.DataFrame, rows: str, columns: str, first: Sequence[str]) -> pd.DataFrame:
    """Counts of one column by another; rows are `first`, columns begin with those of `first` that occur."""

    counts = pd.crosstab(table[rows], table[columns])
    order = [name for name in first if name in counts.columns or rows == "gold_class"]
    order += [name for name in counts.columns if name not in order]
    return counts.reindex(index=list(first), columns=order, fill_value=0).rename(columns={"": "no answer"})


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_nan(inner) for inner in value]
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value
