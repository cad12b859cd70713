"""How a model's answers agree with gold labels: the classes told apart, every number, beside the majority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from core.errors import InputError, PolicyError
from core.files.labels import Cell, cell, decode, spellings, system_of, translate, unknown_label
from core.files.nli.items import related
from core.files.nli.pairs import read_with
from core.messages import Message
from core.statistics import paired
from core.statistics.intervals import over_items
from core.statistics.paired import Comparison
from core.studies.nli import metrics
from core.studies.nli.contradictions import Diagnostics, diagnose
from core.studies.nli.matched import UNNAMED
from core.studies.nli.metrics import Bounds, Counts, Relatedness, of_macro_f1, over_sets, rare

if TYPE_CHECKING:
    from core.studies.nli.matched import Matched


NO_REVERSE = Message("pairs without an answer for the swapped pair")


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


def _crossed(table: pd.DataFrame, rows: str, columns: str, first: Sequence[str]) -> pd.DataFrame:
    """Counts of one column by another; rows are `first`, columns begin with those of `first` that occur."""
    counts = pd.crosstab(table[rows], table[columns])
    order = [name for name in first if name in counts.columns or rows == "gold_class"]
    order += [name for name in counts.columns if name not in order]
    return counts.reindex(index=list(first), columns=order, fill_value=0).rename(columns={"": "no answer"})


def evaluate(matched: Matched, model_system: str, mode: str = "strict", *, missing_wrong: bool = False) -> Evaluation:
    """Judge answers with the labels of `model_system` by the gold labels of the corpus.

    Pairs for which a needed answer for the swapped pair lacks are left out and listed. `missing_wrong` counts pairs
    without an answer, and those whose answer is no label of the system, as wrong, and a missing relatedness as 0, as
    the official scorer of ASSIN does with `-f`; of answers without any label, or any relatedness, only the other is
    judged. Without it InputError is raised for an answer that is no label of the system, and with it for answers that
    are all class numbers. Raises PolicyError where a needed direction is missing altogether or nothing could be told
    apart.
    """
    labelled = bool(matched.pairs)
    matched = matched.with_labels_of(model_system) if missing_wrong else matched
    data = matched.corpus.system
    rules = cell(data, model_system, mode)
    if len(rules.classes) < 2:
        raise PolicyError(f"{rules.reason} Nothing is left to evaluate.")
    ids, reverse = [pair.id for pair in matched.pairs], matched.reverse
    answered = {
        "id": ids,
        "gold": [pair.gold for pair in matched.pairs],
        "forward": read_labels(matched.forward, ids, rules.model, matched.names[0]),
        "reverse": "" if reverse is None else read_labels(reverse, ids, rules.model, matched.names[1]),
    }
    table = pd.DataFrame(answered, dtype="str")
    unmatched = dict(matched.unmatched)
    if rules.needs_reverse and matched.reverse is not None and (table["reverse"] == "").any():
        unmatched[NO_REVERSE] = table.loc[table["reverse"] == "", "id"].tolist()
        table = table[table["reverse"] != ""].reset_index(drop=True)
    table = _judged(table, rules, asked=matched.reverse is not None)
    if missing_wrong and labelled:
        table = _with_missing(table, matched, rules)
    pairs = list(matched.corpus)
    sets = dict(zip((pair.id for pair in pairs), related(pairs), strict=True))
    table["related_set"] = table["id"].map(sets)
    return _measured(table, matched, rules, unmatched, _relatedness(matched, missing_zero=missing_wrong))


def read_labels(written: Sequence[str], ids: Sequence[str], system: str, name: str) -> list[str]:
    """Answers as labels of the system; empty ones stay empty. InputError, with `name` and pair, for any other."""
    labels = {**spellings(system), "": ""}
    for text, identifier in zip(written, ids, strict=True):
        if text.strip().lower() not in labels:
            where = Message("{file}, answer for pair {pair}", file=name, pair=identifier[:40])
            if UNNAMED.fullmatch(text.strip()):
                number = Message(
                    "the answer {answer!r} is a number: say which label each number stands for ({labels}).",
                    answer=text[:40], labels=", ".join(system_of(system).labels),
                )  # fmt: skip
                raise InputError(number, where)
            raise InputError(unknown_label(text[:40], system).message, where)
    return [labels[text.strip().lower()] for text in written]


def _judged(table: pd.DataFrame, rules: Cell, *, asked: bool) -> pd.DataFrame:
    gold = translate(table["gold"].tolist(), rules.data, rules.model, rules.mode)
    reverse = table["reverse"].tolist() if asked or table.empty else None
    answers = decode(table["forward"].tolist(), reverse, rules.data, rules.model, rules.mode, gold)
    judged = table.assign(gold_class=gold, answer=answers)
    return judged.assign(correct=judged["gold_class"] == judged["answer"])


def _with_missing(table: pd.DataFrame, matched: Matched, rules: Cell) -> pd.DataFrame:
    """The table with the pairs that have a gold label and no complete answer, as wrong ones."""
    there = set(table["id"])
    gold = {pair.id: pair.gold for pair in matched.corpus if pair.gold and pair.id not in there}
    classes = translate([*gold.values()], rules.data, rules.model, rules.mode)
    missing = pd.DataFrame({"id": [*gold], "gold": [*gold.values()], "gold_class": classes})
    missing = missing.assign(forward="", reverse="", answer="", correct=False)
    return pd.concat([table, missing[table.columns]], ignore_index=True) if gold else table


def _relatedness(matched: Matched, *, missing_zero: bool) -> Relatedness:
    """Over pairs that have both values; with `missing_zero` over all with a gold one, if any has an answer."""
    gold = np.array([pair.relatedness for pair in matched.corpus], np.float64)
    answered = np.array(matched.relatedness, np.float64)
    missing = np.isnan(answered) & np.isfinite(gold)
    if not missing_zero or np.isnan(answered).all():
        return metrics.relatedness(gold, answered)
    relatedness = metrics.relatedness(gold, np.where(missing, 0.0, answered))
    return replace(relatedness, n_missing=int(missing.sum()))


def _measured(
    table: pd.DataFrame,
    matched: Matched,
    rules: Cell,
    unmatched: Mapping[str, Sequence[str]],
    relatedness: Relatedness,
) -> Evaluation:
    gold, sets = table["gold_class"].tolist(), table["related_set"]
    counts = metrics.confusions(gold, table["answer"].tolist(), rules.classes, sets.to_numpy(np.int64))
    correct = over_items(table["correct"].astype("float64"), pd.Series(0, table.index), sets)
    there, asked = set(table["id"]), matched.reverse is not None
    judged = [pair for pair in matched.pairs if pair.id in there]
    return Evaluation(
        rules.data,
        rules.model,
        rules,
        table,
        counts.sum(axis=0),
        (correct.low, correct.high),
        of_macro_f1(counts),
        over_sets(counts, metrics.mcc, least=-1.0),
        correct.freedom,
        majority(gold, rules.classes),
        relatedness,
        diagnose(judged, table, rules, asked, _by_guess(table, matched, rules)),
        unmatched,
        matched.by_position,
    )


def _by_guess(table: pd.DataFrame, matched: Matched, rules: Cell) -> int:
    """How many answers are right only because labels without a paraphrase were taken for ASSIN 2's, not ASSIN's."""
    other = cell("assin", rules.model, rules.mode)
    backward = other.needs_reverse
    guessed = rules.data == "assin2" and read_with("assin2") in matched.corpus.notes
    if not guessed or (backward and not matched.reverse):
        return 0
    known = table[(table["forward"] != "") & ((table["reverse"] != "") | (not backward))]
    return int((known["correct"] & ~_judged(known, other, asked=backward)["correct"]).sum())


def majority(gold: Sequence[str], classes: Sequence[str]) -> Baseline:
    """What answering the commonest class throughout would get."""
    commonest = max(classes, key=list(gold).count)
    how = Message("always {label}", label=Message(commonest))
    return scored(Message("majority"), how, gold, [commonest] * len(gold), classes)


def scored(name: str, how: str, gold: Sequence[str], answers: Sequence[str], classes: Sequence[str]) -> Baseline:
    """Accuracy and macro-F1 of a baseline's answers."""
    matrix = metrics.confusion(gold, answers, classes)
    return Baseline(name, how, float(metrics.accuracy(matrix)), float(metrics.macro_f1(matrix)))


def compare(first: Evaluation, second: Evaluation) -> Comparison:
    """Compare two evaluations pair by pair, over the related sets of the first.

    Raises InputError if they tell other classes apart, or share no pair.
    """
    if first.classes != second.classes:
        raise InputError(
            f"they are judged by different classes ({', '.join(first.classes)}; {', '.join(second.classes)}), so "
            "their accuracies do not compare."
        )
    columns = ["id", "gold_class", "correct"]
    ours = first.answers[[*columns, "related_set"]]
    both = ours.merge(second.answers[columns], on="id", suffixes=("_a", "_b"))
    if both.empty:
        raise InputError("the two have no pair in common.")
    if (both["gold_class_a"] != both["gold_class_b"]).any():
        raise InputError("the two have other gold labels for the same pairs.")
    a, b = (both[f"correct_{one}"].astype("float64") for one in "ab")
    return paired.compare(a, b, both["related_set"])
