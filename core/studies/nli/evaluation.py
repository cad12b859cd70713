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
from core.studies.nli.metrics import Bounds, Counts, Relatedness, rare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.files.nli.pairs import Pair


SYMMETRIC = ("paraphrase", "contradiction")
"""Labels that hold of (b, a) if they hold of (a, b)."""


@dataclass(frozen=True, slots=True)
class OneWay:
    """Paraphrases in the answers, where the gold labels of both directions say whether they can be.

    `ids` are those whose swapped pair is not an entailment; `accepted` those of them that count as right because the
    gold label of the pair is entailment, and `accuracy` is what is left with these counted as wrong. `n_paraphrases`
    is how many were answered for pairs whose swapped pair has a gold label; `n_possible` gold entailments that hold
    in one direction only, the most there could be in `accepted`.
    """

    n_paraphrases: int
    n_possible: int
    ids: tuple[str, ...]
    accepted: tuple[str, ...]
    accuracy: float


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """`by_guess` counts answers that are right only because the labels of the data were taken for ASSIN 2's.

    `paraphrases` is None where the model has no such label, or the data no gold labels for swapped pairs.

    The rest needs answers for swapped pairs (`asked`). `reverse_entailment`: ids of pairs whose gold label is none or
    neutral and whose swapped pair the model calls an entailment, which is allowed. `asymmetric`: by label, the ids of
    pairs for which it was said in one direction only; `n_symmetric` counts those that have it in one or both.
    """

    asked: bool
    by_guess: int
    paraphrases: OneWay | None
    reverse_entailment: tuple[str, ...]
    asymmetric: dict[str, tuple[str, ...]]
    n_symmetric: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """Counts and ids, for JSON."""
        described: dict[str, Any] = {"reverse_answers": self.asked}
        if self.by_guess:
            described["right_by_guess_of_labels"] = self.by_guess
        if self.paraphrases:
            described["paraphrase_though_one_way"] = {
                "n": len(self.paraphrases.ids),
                "of_paraphrase_answers": self.paraphrases.n_paraphrases,
                "gold_one_way_entailments": self.paraphrases.n_possible,
                "ids": list(self.paraphrases.ids),
                "accepted": len(self.paraphrases.accepted),
                "accepted_ids": list(self.paraphrases.accepted),
                "accuracy_with_accepted_wrong": self.paraphrases.accuracy,
            }
        if self.asked:
            ids = list(self.reverse_entailment)
            described["reverse_entailment_allowed"] = {"n": len(ids), "ids": ids}
            for label, names in self.asymmetric.items():
                described[f"{label}_in_one_direction_only"] = {
                    "n": len(names),
                    "of_pairs_with_it": self.n_symmetric[label],
                    "ids": list(names),
                }
        return described


def diagnose(pairs: Sequence[Pair], answers: pd.DataFrame, rules: Cell, asked: bool, by_guess: int) -> Diagnostics:
    """What the answers say in both directions. `answers` has the columns of `Evaluation.answers`."""
    complete = answers[(answers["forward"] != "") & ((answers["reverse"] != "") | (not asked))]
    answered = {name: complete[name].to_numpy(object) for name in ("id", "gold", "forward", "reverse")}
    allowed = (answered["reverse"] == "entailment") & ((answered["gold"] == "none") | (answered["gold"] == "neutral"))
    symmetric = [label for label in SYMMETRIC if asked and label in system_of(rules.model).labels]
    there = {label: (answered["forward"] == label, answered["reverse"] == label) for label in symmetric}
    return Diagnostics(
        asked,
        by_guess,
        _one_way(pairs, answers, rules),
        _named(answered["id"], allowed) if asked else (),
        {label: _named(answered["id"], forward != reverse) for label, (forward, reverse) in there.items()},
        {label: int((forward | reverse).sum()) for label, (forward, reverse) in there.items()},
    )


def _one_way(pairs: Sequence[Pair], answers: pd.DataFrame, rules: Cell) -> OneWay | None:
    """It takes answers in one direction only, so `answers` are all that are evaluated."""
    reverse = {pair.id: pair.reverse_gold for pair in pairs if pair.reverse_gold}
    if "paraphrase" not in system_of(rules.model).labels or not reverse:
        return None
    backward = answers["id"].map(reverse).fillna("")
    known = (backward != "").to_numpy()
    entails = backward.isin(("entailment", "paraphrase")).to_numpy()
    paraphrases = (answers["forward"] == "paraphrase").to_numpy() & known
    possible = (answers["gold"] == "entailment").to_numpy() & known & ~entails
    right, ids = answers["correct"].to_numpy(bool), answers["id"].to_numpy(object)
    accepted = paraphrases & possible & right
    return OneWay(
        int(paraphrases.sum()),
        int(possible.sum()),
        _named(ids, paraphrases & ~entails),
        _named(ids, accepted),
        (right.sum() - accepted.sum()) / len(answers) if len(answers) else math.nan,
    )


def _named(ids: NDArray[np.object_], chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(map(str, ids[chosen]))


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
    (`core.studies.nli.metrics`) for the others; NaN where there is one set only, and for macro-F1 where there are
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
        both = self.cell.needs_reverse
        answered = self.answers["forward"] + (" / " + self.answers["reverse"] if both else "")
        return _crossed(self.answers.assign(said=answered), "gold", "said", system_of(self.data).labels)

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
