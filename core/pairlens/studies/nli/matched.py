"""Answers from a file, one per pair, in one direction or both, and matched with the pairs of a corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError
from pairlens.files.nli.assin import in_pair, read_assin
from pairlens.files.nli.columns import chosen, in_row, numbers, refuse_missing, texts
from pairlens.files.nli.pairs import Corpus, Predictions
from pairlens.files.tables import Layout, ending, read_json, read_laid_out
from pairlens.messages import Message

if TYPE_CHECKING:
    import pandas as pd

NO_ANSWER, NO_PAIR = Message("pairs without an answer"), Message("answers without a pair")
NO_GOLD, NO_LABEL = Message("pairs without a gold label"), Message("pairs whose answer has no label")
NO_TURNED_PAIR = Message("answers for swapped pairs without a pair")
"""Reasons in `Matched.unmatched`."""
_OF_PAIR = ("id", "premise", "hypothesis", "gold", "reverse_gold")


@dataclass(frozen=True, slots=True, eq=False)
class Matched:
    """The pairs of a corpus with their answers, and what was left over.

    `answers` has a row per pair: `id`, `premise`, `hypothesis`, `gold`, `reverse_gold`, `gold_relatedness`, and what
    was answered: `forward`, `reverse`, `relatedness`, empty or NaN where nothing was. `asked`: there are answers for
    swapped pairs at all. `unmatched` names ids by the reason why they are left over, `names` what the answers of each
    direction are from.
    """

    corpus: Corpus
    answers: pd.DataFrame
    asked: bool
    unmatched: Mapping[str, Sequence[str]]
    by_position: bool = False
    names: tuple[str, str] = ("answers", "answers")

    @property
    def labelled(self) -> pd.DataFrame:
        return self.answers[(self.answers["gold"] != "") & (self.answers["forward"] != "")]

    def without(self, ids: Collection[str]) -> Matched:
        return replace(
            self,
            corpus=self.corpus.only([pair for pair in self.corpus if pair.id not in ids]),
            answers=self.answers[~self.answers["id"].isin(ids)].reset_index(drop=True),
            unmatched={
                reason: [name for name in names if name not in ids] for reason, names in self.unmatched.items()
            },
        )


def match(
    corpus: Corpus, forward: Predictions, reverse: Predictions | None = None, by_position: bool = False
) -> Matched:
    """Answers and pairs with the same id, in the order of the corpus; what has no counterpart is listed.

    `reverse` are the answers for premise and hypothesis swapped, under the ids of the pairs; without it those that
    `forward` itself holds are used. `by_position` takes the first answer for the first pair and so on, whatever the
    ids, and asks for equal numbers. Answers without any label are matched for their relatedness. Raises InputError
    for an id that lacks or comes twice, and if nothing of a file matches or nothing has a gold label.
    """
    import pandas as pd

    keys = [pair.id for pair in corpus]
    if by_position:
        forward, reverse = _in_order(forward, keys), _in_order(reverse, keys) if reverse else None
    for answers in (forward, reverse) if reverse else (forward,):
        _refuse_doubtful_ids(answers)
    labels = dict(zip(forward.ids, forward.labels, strict=True))
    turned = (reverse.ids, reverse.labels) if reverse else (forward.ids, forward.reverse)
    back = dict(zip(*turned, strict=True)) if any(turned[1]) or reverse else {}
    related = dict(zip(forward.ids, forward.relatedness, strict=True)) if len(forward.relatedness) else {}
    known = {*keys}
    left_over = {
        NO_ANSWER: [key for key in keys if key not in labels],
        NO_LABEL: [key for key in keys if labels.get(key) == ""],
        NO_PAIR: [name for name in labels if name not in known],
        NO_TURNED_PAIR: [name for name in back if name not in known and name not in labels],
        NO_GOLD: [pair.id for pair in corpus if not pair.gold],
    }
    table = pd.DataFrame({name: [getattr(pair, name) for pair in corpus] for name in _OF_PAIR})
    table = table.assign(
        forward=[labels.get(key, "") for key in keys], reverse=[back.get(key, "") for key in keys]
    ).astype("str")
    table["gold_relatedness"] = pd.Series([pair.relatedness for pair in corpus], dtype="float64")
    table["relatedness"] = pd.Series([related.get(key, math.nan) for key in keys], dtype="float64")
    matched = Matched(
        corpus,
        table,
        bool(reverse or back),
        {reason: ids for reason, ids in left_over.items() if ids},
        by_position,
        (forward.name, (reverse or forward).name),
    )
    if matched.labelled.empty and (any(forward.labels) or known.isdisjoint(related)):
        if len(left_over[NO_GOLD]) == len(corpus):
            blind = Message("no pair has a gold label, so that answers cannot be judged. Is it a blind test file?")
            raise InputError(blind, corpus.name)
        raise _no_id(corpus, forward)
    if reverse and known.isdisjoint(reverse.ids):
        raise _no_id(corpus, reverse)
    return matched


def _in_order(predictions: Predictions, keys: Sequence[str]) -> Predictions:
    """The answers under the ids of the pairs, in the order in which they stand."""
    if len(predictions) != len(keys):
        raise InputError(
            f"{len(predictions):,} answers for {len(keys):,} pairs: by position there is one for each.",
            predictions.name,
        )
    return replace(predictions, ids=keys)


def _refuse_doubtful_ids(answers: Predictions) -> None:
    places: dict[str, int] = {}
    for place, identifier in enumerate(answers.ids, start=1):
        first = places.setdefault(identifier, place)
        if identifier and first == place:
            continue
        where = Message("{file}, answer {answer}", file=answers.name, answer=place)
        if not identifier:
            raise InputError(Message("there is no id. Answers without ids can be matched by position."), where)
        wrong = Message(
            "the id {id!r} is that of answer {answer} too. Each pair has one answer; if both files are in the "
            "same order, match them by position.",
            id=identifier[:40], answer=first,
        )  # fmt: skip
        raise InputError(wrong, where)


def _no_id(corpus: Corpus, answers: Predictions) -> InputError:
    wrong = Message(
        "none of its {n:,} ids is that of a pair in {corpus} (ids there: {there} ...; here: {here} ...). If both "
        "are in the same order, match them by position.",
        n=len(answers), corpus=corpus.name, there=", ".join(pair.id for pair in corpus.pairs[:3]),
        here=", ".join(answers.ids[:3]),
    )  # fmt: skip
    return InputError(wrong, answers.name)


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "pair_id", "pairid", "sentence_pair_id", "item"),
    "label": ("label", "prediction", "predicted", "entailment", "forward", "gold_label", "entailment_judgment"),
    "reverse_label": ("reverse_label", "reverse", "reverse_prediction", "label_reverse"),
    "relatedness": ("relatedness", "similarity", "relatedness_score"),
}
"""What a column of answers may be called, the usual name first; case is ignored."""
_EXPECTED = Message("answers, as {id: label} or as a list of objects with id and label")


def read_predictions(
    path: Path,
    columns: Mapping[str, str] | None = None,
    layout: Layout = Layout(),  # noqa: B008 (frozen)
    *,
    gaps: bool = False,
) -> Predictions:
    """Answers from ASSIN's XML, from a table or JSON lines with columns as in `COLUMNS`, or from JSON {id: label}.

    `columns` names the file's columns where they are called otherwise, `layout` says how it is laid out. A column
    `reverse_label` has the answers for swapped pairs. Without a column of ids these are empty texts, and the answers
    can be matched by position only. An answer may be a relatedness without a label, which is then an empty text.
    Raises InputError for a column that lacks and, unless `gaps` are allowed, for an answer with neither.
    """
    place: Callable[[int], Message] = partial(in_pair if ending(path) == ".xml" else in_row, path.name)
    if ending(path) == ".xml":
        table = read_assin(path, [])
        table["entailment"] = table["entailment"].mask(table["entailment"].str.lower() == "unknown", "")
    else:
        table = _of_json(path) if ending(path) == ".json" else read_laid_out(path, layout)
    predictions = _of_table(table, path.name, columns or {}, place)
    if not predictions.ids:
        raise InputError(Message("there is no answer."), predictions.name)
    related = predictions.relatedness or [math.nan] * len(predictions)
    for number, (label, value) in enumerate(zip(predictions.labels, related, strict=True), start=1):
        if not label and math.isnan(value) and not gaps:
            where = Message("{file}, answer {answer}", file=predictions.name, answer=number)
            raise InputError(Message("there is no label, and no relatedness either."), where)
    return predictions


def _of_json(path: Path) -> pd.DataFrame:
    """A row per object; an object {id: label} or {id: {label: ...}} is a row per id."""
    import pandas as pd

    content: Any = read_json(path, _EXPECTED)
    if isinstance(content, dict):
        content = [{"id": name, **(a if isinstance(a, dict) else {"label": a})} for name, a in content.items()]
    if not isinstance(content, list) or not content or not all(isinstance(row, dict) for row in content):
        raise InputError(Message("expected {expected}.", expected=_EXPECTED), path.name)
    return pd.DataFrame(content)


def _of_table(
    table: pd.DataFrame, name: str, columns: Mapping[str, str], place: Callable[[int], Message]
) -> Predictions:
    names = chosen(table, COLUMNS, columns, name)
    if "relatedness" not in names:
        refuse_missing(("label",), names, COLUMNS, table, name)
    empty = [""] * len(table)
    ids, labels, reverse = (
        texts(table[names[role]]) if role in names else none
        for role, none in (("id", empty), ("label", empty), ("reverse_label", ()))
    )
    related = numbers(table[names["relatedness"]], place) if "relatedness" in names else ()
    return Predictions(name, ids, labels, reverse, related)
