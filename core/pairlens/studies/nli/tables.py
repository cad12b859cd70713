"""The tables of an evaluation, each column described, and the confusion charts beside theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from functools import cache, partial
from typing import TYPE_CHECKING

import pandas as pd

from pairlens.files.labels import code, in_words
from pairlens.messages import Message, joined
from pairlens.results.result import Column, Figure, Table
from pairlens.studies.nli.baselines import baselines

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart
    from pairlens.studies.nli.evaluation import Evaluation
    from pairlens.studies.nli.report import Judged

BEFORE, AFTER = Message("before translation"), Message("after translation")
_LABELS, _COUNT_AS = (Message("gold"), Message("model")), (Message("gold counts as"), Message("counts as"))
_SHOWN = 500
_SHARE = ".3f"


def tables(judged: Judged) -> Iterator[Table]:
    """Of those about exceptions the ones that have any."""
    row, whole = judged.report.headline, judged.report.everything
    which = replace(_NUMBERS[0], drawn=len(judged.report.rows) > 1)
    yield Table("numbers", Message("By class"), [which, *_NUMBERS[1:]], partial(_numbers, judged))
    if row.n:
        columns = _pair_columns(row)
        wrong, every = partial(_pairs, row, columns, wrong=True), partial(_pairs, whole, columns)
        yield Table("confusion", Message("Confusion"), _CONFUSION, partial(_confusion, row))
        yield Table("disagreements", Message("Disagreements"), columns, wrong, _SHOWN)
        yield Table("answers", Message("Pairs"), columns, every, _SHOWN)
        yield Table("baselines", Message("Baselines"), _BASELINES, partial(_baselines, row))
    if examples := [(of.what, identifier) for of in row.contradictions for identifier in of.ids]:
        texts = row.answers[["id", "premise", "hypothesis"]]
        make = partial(_frame((_WHAT, _ID), examples).merge, texts, on="id", how="left")
        yield Table("contradictions", Message("Contradictions"), [_WHAT, _ID, *_TEXTS], make, _SHOWN)
    if left_out := _left_out(judged):
        yield Table("left_out", Message("Left out"), _LEFT_OUT, partial(_frame, _LEFT_OUT, left_out))


_ID = Column("id", "id", Message("The id of the pair in the data."))
_TEXTS = (
    Column("premise", Message("Premise (a)"), Message("The text from which something may follow.")),
    Column("hypothesis", Message("Hypothesis (b)"), Message("The text that may follow from it.")),
)
_NUMBERS = (
    Column("pairs", Message("Evaluated"), Message("All pairs, or those that no other set holds.")),
    Column("class", Message("Class"), Message("The class of the gold label; `all` is over classes.")),
    Column("classes", "Classes", "How many classes are told apart.", drawn=False),
    Column("n", Message("Gold"), Message("Pairs whose gold label counts as this class.")),
    Column("accuracy", Message("Accuracy"), Message("The share of pairs that are right."), form=".2%"),
    Column("accuracy_low", "Accuracy from", "Lower bound of its 95 % interval.", drawn=False),
    Column("accuracy_high", "Accuracy to", "Upper bound of its 95 % interval.", drawn=False),
    Column("macro_f1", "macro-F1", Message("The mean F1 of the classes that have pairs."), form=_SHARE),
    Column("macro_f1_low", "macro-F1 from", "Lower bound of its 95 % interval.", drawn=False),
    Column("macro_f1_high", "macro-F1 to", "Upper bound of its 95 % interval.", drawn=False),
    Column("mcc", "MCC", Message("Matthews' correlation of answers and gold labels, -1 to 1."), form=_SHARE),
    Column("majority_accuracy", "Majority", "Accuracy of always answering the commonest class.", drawn=False),
    Column("majority_macro_f1", "Majority F1", "Macro-F1 of always answering the commonest class.", drawn=False),
    Column("related_sets", "Related sets", "Sets of pairs that share sentences.", drawn=False),
    Column("answered", Message("Answered"), Message("Pairs that were answered so.")),
    Column("precision", Message("Precision"), Message("The share of these answers that are right."), form=_SHARE),
    Column("recall", Message("Recall"), Message("The share of the class's pairs that are right."), form=_SHARE),
    Column("f1", "F1", Message("The harmonic mean of precision and recall."), form=_SHARE),
)
_CONFUSION = (
    Column("stage", Message("Labels"), Message("Those of data and model, or the classes that both count as.")),
    Column("gold", Message("gold"), Message("The gold label, or what it counts as.")),
    Column("answer", Message("answer"), Message("The answer, of both directions (a, b) / (b, a), or its class.")),
    Column("n", "n", Message("How many pairs have both.")),
    Column("share", Message("Proportion"), Message("Of the pairs with this gold label."), form=".1%"),
    Column("right", Message("Right"), Message("Whether the two agree, after translation.")),
)
_BASELINES = (
    Column("name", Message("Who"), Message("A chooser that knows less than a model.")),
    Column("how", Message("How"), Message("What it does.")),
    Column("accuracy", Message("Accuracy"), Message("The share of pairs that are right."), form=".1%"),
    Column("macro_f1", "macro-F1", Message("The mean F1 of the classes that have pairs."), form=_SHARE),
)
_WHAT = Column("what", Message("What"), Message("Answers that cannot all be right. Nothing here changes a score."))
_LEFT_OUT = (
    Column("why", Message("Why"), Message("Why a pair or an answer is in no number, or how a tie was decided.")),
    Column("where", Message("Where"), Message("The id of the pair, or its place in the file.")),
)


def _pair_columns(row: Evaluation) -> list[Column]:
    both_ways = bool((row.answers["reverse"] != "").any())
    return [
        _ID,
        Column("gold", Message("gold"), Message("The gold label of the data.")),
        Column("forward", Message("says of (a, b)"), Message("The model's answer.")),
        Column("reverse", Message("says of (b, a)"), Message("Its answer to the swapped pair."), drawn=both_ways),
        Column("gold_class", Message("gold counts as"), Message("The class of the gold label.")),
        Column("answer", Message("counts as"), Message("The class of the answer.")),
        Column("correct", Message("Right"), Message("Whether the two agree, after translation.")),
        Column("related_set", "Related set", "Pairs of one set share sentences.", drawn=False),
        *_TEXTS,
    ]


def _numbers(judged: Judged) -> pd.DataFrame:
    """A row per evaluation for all classes, and one for each class."""
    parts = []
    for name, row in judged.report.rows.items():
        overall: dict[str, object] = {"classes": len(row.classes), "related_sets": row.n_sets}
        overall |= {number: getattr(row, number) for number in ("n", "accuracy", "macro_f1", "mcc")}
        for number, (low, high) in (("accuracy", row.accuracy_interval), ("macro_f1", row.macro_f1_interval)):
            overall |= {f"{number}_low": low, f"{number}_high": high}
            overall[f"majority_{number}"] = getattr(row.majority, number)
        by_class = row.per_class()
        by_class = by_class.assign(**{"class": _labels(by_class["class"]), "pairs": _objects([name] * len(by_class))})
        words = {"class": _objects([Message("all")]), "pairs": _objects([name])}
        parts += [pd.DataFrame([overall]).assign(**words), by_class]
    counts = dict.fromkeys(("classes", "n", "related_sets", "answered"), "Int64")
    return pd.concat(parts, ignore_index=True)[[column.name for column in _NUMBERS]].astype(counts)


def _confusion(row: Evaluation) -> pd.DataFrame:
    parts = []
    for stage, table in ((BEFORE, row.confusion_before()), (AFTER, row.confusion())):
        counts = table.rename_axis("gold").reset_index().melt("gold", var_name="answer", value_name="n")
        totals = counts.groupby("gold")["n"].transform("sum")
        right = _objects(counts["gold"] == counts["answer"] if stage is AFTER else [None] * len(counts))
        counts = counts.assign(share=counts["n"] / totals.where(totals > 0, 1), right=right)
        counts.insert(0, "stage", _objects([stage] * len(counts)))
        parts.append(counts.assign(gold=_labels(counts["gold"]), answer=_labels(counts["answer"])))
    return pd.concat(parts, ignore_index=True)


def _pairs(row: Evaluation, columns: Sequence[Column], *, wrong: bool = False) -> pd.DataFrame:
    frame = row.answers[~row.answers["correct"]] if wrong else row.answers
    frame = frame[[column.name for column in columns]].reset_index(drop=True)
    labels = ("gold", "forward", "reverse", "gold_class", "answer")
    return frame.assign(**{name: _labels(frame[name]) for name in labels})


def _baselines(row: Evaluation) -> pd.DataFrame:
    return _frame(_BASELINES, map(astuple, (row.majority, *baselines(row))))


def _left_out(judged: Judged) -> list[tuple[str, str]]:
    unmatched = judged.report.everything.unmatched.items()
    return [
        *((reason, identifier) for reason, ids in unmatched for identifier in ids),
        *((why, where) for where, why in judged.corpus.left_out),
        *judged.excluded,
    ]


def _frame(columns: Sequence[Column], rows: Iterable[Sequence[object]]) -> pd.DataFrame:
    """Messages stay what they are in columns of objects."""
    frame = pd.DataFrame([*rows], columns=[column.name for column in columns], dtype=object)
    return frame.astype({column.name: "float64" for column in columns if column.form})


def _labels(written: Iterable[str]) -> pd.Series:
    """Labels, or the answers in both directions, as words that a page can say in another language."""
    words = cache(lambda label: joined(map(in_words, label.split(" / ")), " / ") if label else "")
    return _objects(map(words, written))


def _objects(cells: Iterable[object]) -> pd.Series:
    """A column that keeps messages as they are."""
    return pd.Series(list(cells), dtype=object)


def figures(judged: Judged, translate: Callable[[str], str]) -> list[Figure]:
    """Confusion before and after translation; what is written in the charts is as `translate` says it."""
    if not judged.report.headline.n:
        return []
    before = BEFORE, Message("Before translation: the data's labels and what the model said"), _LABELS
    after = AFTER, Message("After translation: what both count as"), _COUNT_AS
    return [
        Figure(f"confusion_{name}", "confusion", partial(_grid, translate, *stage), stage[1], beside=True)
        for name, stage in (("before", before), ("after", after))
    ]


def _grid(
    translate: Callable[[str], str], stage: str, finding: str, heads: Sequence[str], frame: pd.DataFrame
) -> Chart:
    from pairlens.charts.nli import confusion_grid

    counts = frame[frame["stage"] == stage]
    answers = [one if " / " not in one else joined(map(code, one.split(" / ")), " / ") for one in counts["answer"]]
    right = counts["right"].fillna(True).astype(bool)  # before translation nothing is wrong
    drawn = counts.assign(row=[*map(translate, counts["gold"])], column=[*map(translate, answers)], right=right)
    return confusion_grid(drawn, translate(finding), (translate(heads[0]), translate(heads[1])))
