"""How a model's answers agree with gold labels: the classes told apart, every number, beside the majority."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pairlens.errors import InputError, PolicyError
from pairlens.files.labels import Cell, cell, decode, spellings, system_of, translate, unknown_label
from pairlens.files.nli.items import related
from pairlens.files.nli.pairs import read_with
from pairlens.messages import Message
from pairlens.statistics import paired
from pairlens.statistics.intervals import over_items
from pairlens.statistics.paired import Comparison
from pairlens.studies.nli import metrics
from pairlens.studies.nli.contradictions import Contradiction, contradictions
from pairlens.studies.nli.metrics import Bounds, Counts, Relatedness, of_macro_f1, over_sets, rare

if TYPE_CHECKING:
    from pairlens.studies.nli.matched import Matched


NO_REVERSE = Message("pairs without an answer for the swapped pair")
NO_KNOWN_LABEL = Message("pairs whose answer is no label of the model's system")
"""Further reasons in `Evaluation.unmatched`."""
_NUMBER = re.compile(r"(?:label[ _-]?)?\d+", re.IGNORECASE)
_DIRECTIONS = ("forward", "reverse")


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

    `answers`: the rows of `Matched.answers` that are evaluated, `forward` and `reverse` as labels of the model, and
    `gold_class`, `answer` (classes), `correct`, `related_set` (`pairlens.files.nli.items`). `matrix` counts `answer`
    by `gold_class` (`pairlens.studies.nli.metrics`). `unmatched` names what is not in it, by the reason. Intervals
    hold at `LEVEL`, over related sets: `over_items` for the accuracy, `over_sets` (`pairlens.studies.nli.metrics`)
    for the other two; NaN where there is one set only, and for macro-F1 where there are `rare_classes`. `freedom`:
    the degrees of freedom of the accuracy's variance.
    """

    cell: Cell
    answers: pd.DataFrame
    matrix: Counts
    accuracy_interval: Bounds
    macro_f1_interval: Bounds
    mcc_interval: Bounds
    freedom: float
    majority: Baseline
    relatedness: Relatedness
    contradictions: Sequence[Contradiction]
    unmatched: Mapping[str, Sequence[str]]
    by_position: bool = False

    @property
    def n(self) -> int:
        return len(self.answers)

    @property
    def n_sets(self) -> int:
        """Related sets of the pairs: as many as there are pairs where no two share a sentence."""
        return self.answers["related_set"].nunique()

    @property
    def classes(self) -> tuple[str, ...]:
        return self.cell.classes

    @property
    def rare_classes(self) -> dict[str, int]:
        return {self.classes[place]: n for place, n in rare(self.matrix)}

    @property
    def balance(self) -> dict[str, float]:
        counts = self.matrix.sum(axis=1).tolist() if self.n else []
        return {name: n / self.n for name, n in zip(self.classes, counts, strict=False)}

    @property
    def accuracy(self) -> float:
        return float(metrics.accuracy(self.matrix))

    @property
    def macro_f1(self) -> float:
        return float(metrics.macro_f1(self.matrix))

    @property
    def mcc(self) -> float:
        return float(metrics.mcc(self.matrix))

    def per_class(self) -> pd.DataFrame:
        """One row per class: `class`, `n` (gold), `answered`, `precision`, `recall`, `f1`."""
        matrix = self.matrix
        numbers = {number.__name__: number(matrix) for number in (metrics.precision, metrics.recall, metrics.f1)}
        answered = matrix[:, : len(self.classes)].sum(axis=0)
        return pd.DataFrame({"class": self.classes, "n": matrix.sum(axis=1), "answered": answered, **numbers})

    def confusion(self) -> pd.DataFrame:
        """Counts by gold class (rows) and answer (columns), after translation."""
        return _crossed(self.answers, "gold_class", "answer", self.classes)

    def confusion_before(self) -> pd.DataFrame:
        """Counts by the data's own label (rows) and what the model said (columns), in both directions if asked."""
        both = self.cell.needs_reverse
        answered = self.answers["forward"] + (" / " + self.answers["reverse"] if both else "")
        return _crossed(self.answers.assign(said=answered), "gold", "said", system_of(self.cell.data).labels)


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
    table, unmatched, pairs = matched.labelled, dict(matched.unmatched), matched.corpus.pairs
    rules = cell(matched.corpus.system, model_system, mode)
    if len(rules.classes) < 2:
        raise PolicyError(f"{rules.reason} Nothing is left to evaluate.")
    count_missing = missing_wrong and not table.empty
    if missing_wrong and not all(map(is_number, table["forward"])):
        known = {name: table[name].str.strip().str.lower().isin(spellings(model_system)) for name in _DIRECTIONS}
        if strange := table.loc[~known["forward"], "id"].tolist():
            unmatched[NO_KNOWN_LABEL] = strange
        table = table.assign(reverse=table["reverse"].where(known["reverse"], ""))[known["forward"]]
    for direction, name in zip(_DIRECTIONS, matched.names, strict=True):
        table = table.assign(**{direction: read_labels(table[direction], table["id"], rules.model, name)})
    if rules.needs_reverse and matched.asked and (lacking := table["reverse"] == "").any():
        unmatched[NO_REVERSE] = table.loc[lacking, "id"].tolist()
        table = table[~lacking]
    missing = matched.answers[(matched.answers["gold"] != "") & ~matched.answers["id"].isin(table["id"])]
    table = _judged(table, rules, asked=matched.asked)
    if count_missing:
        nothing = dict.fromkeys(("forward", "reverse", "reverse_gold", "answer"), "")
        classes = translate(missing["gold"].tolist(), rules.data, rules.model, rules.mode)
        missing = missing.assign(**nothing, gold_class=classes, correct=False)
        table = pd.concat([table, missing]) if len(missing) else table
    sets = dict(zip((pair.id for pair in pairs), related(pairs), strict=True))
    table = table.assign(related_set=table["id"].map(sets)).reset_index(drop=True)
    gold, in_sets = table["gold_class"].tolist(), table["related_set"]
    counts = metrics.confusions(gold, table["answer"].tolist(), rules.classes, in_sets.to_numpy(np.int64))
    correct = over_items(table["correct"].astype("float64"), pd.Series(0, table.index), in_sets)
    return Evaluation(
        rules,
        table,
        counts.sum(axis=0),
        (correct.low, correct.high),
        of_macro_f1(counts),
        over_sets(counts, metrics.mcc, least=-1.0),
        correct.freedom,
        majority(gold, rules.classes),
        _relatedness(matched.answers, missing_zero=missing_wrong),
        [*contradictions(table, _by_guess(table, matched, rules))],
        unmatched,
        matched.by_position,
    )


def is_number(answer: str) -> bool:
    """Whether an answer is a class number instead of a name: `1`, `LABEL_1`."""
    return bool(_NUMBER.fullmatch(answer.strip()))


def read_labels(written: Iterable[str], ids: Iterable[str], system: str, name: str) -> list[str]:
    """Answers as labels of the system; empty ones stay empty. InputError, with `name` and pair, for any other."""
    labels = {**spellings(system), "": ""}
    read = []
    for text, identifier in zip(written, ids, strict=True):
        if (spelling := text.strip().lower()) not in labels:
            where = Message("{file}, answer for pair {pair}", file=name, pair=identifier[:40])
            if is_number(text):
                number = Message(
                    "the answer {answer!r} is a number: say which label each number stands for ({labels}).",
                    answer=text[:40], labels=", ".join(system_of(system).labels),
                )  # fmt: skip
                raise InputError(number, where)
            raise InputError(unknown_label(text[:40], system).message, where)
        read.append(labels[spelling])
    return read


def _judged(table: pd.DataFrame, rules: Cell, *, asked: bool) -> pd.DataFrame:
    gold = translate(table["gold"].tolist(), rules.data, rules.model, rules.mode)
    reverse = table["reverse"].tolist() if asked or table.empty else None
    answers = decode(table["forward"].tolist(), reverse, rules.data, rules.model, rules.mode, gold)
    judged = table.assign(
        gold_class=pd.Series(gold, table.index, "str"), answer=pd.Series(answers, table.index, "str")
    )
    return judged.assign(correct=judged["gold_class"] == judged["answer"])


def _relatedness(answers: pd.DataFrame, *, missing_zero: bool) -> Relatedness:
    gold, answered = (answers[name].to_numpy(np.float64) for name in ("gold_relatedness", "relatedness"))
    missing = np.isnan(answered) & np.isfinite(gold)
    if not missing_zero or np.isnan(answered).all():
        return metrics.relatedness(gold, answered)
    return replace(metrics.relatedness(gold, np.where(missing, 0.0, answered)), n_missing=int(missing.sum()))


def _by_guess(table: pd.DataFrame, matched: Matched, rules: Cell) -> int:
    """How many answers are right only because labels without a paraphrase were taken for ASSIN 2's, not ASSIN's."""
    other = cell("assin", rules.model, rules.mode)
    backward = other.needs_reverse
    guessed = rules.data == "assin2" and read_with("assin2") in matched.corpus.notes
    if not guessed or (backward and not matched.asked):
        return 0
    known = table[(table["forward"] != "") & ((table["reverse"] != "") | (not backward))]
    return int((known["correct"] & ~_judged(known, other, asked=backward)["correct"]).sum())


def majority(gold: Sequence[str], classes: Sequence[str]) -> Baseline:
    commonest = max(classes, key=list(gold).count)
    how = Message("always {label}", label=Message(commonest))
    return scored(Message("majority"), how, gold, [commonest] * len(gold), classes)


def scored(name: str, how: str, gold: Sequence[str], answers: Sequence[str], classes: Sequence[str]) -> Baseline:
    matrix = metrics.confusion(gold, answers, classes)
    return Baseline(name, how, float(metrics.accuracy(matrix)), float(metrics.macro_f1(matrix)))


def compare(first: Evaluation, second: Evaluation) -> Comparison:
    """Pair by pair, over the related sets of the first; InputError for other classes, or no pair in common."""
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
