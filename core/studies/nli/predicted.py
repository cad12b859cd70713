"""A file of answers, one per pair, in one direction or both."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.files.nli.assin import in_pair, read_assin
from core.files.nli.columns import chosen, in_row, numbers, refuse_missing, texts
from core.files.nli.pairs import Predictions
from core.files.tables import Layout, ending, read_json, read_laid_out
from core.messages import Message

if TYPE_CHECKING:
    import pandas as pd

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
