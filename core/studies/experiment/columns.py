"""Which column of a table plays which role, guessed from the usual names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.experiment import Columns
from core.studies.experiment.conditions import guess_conditions, guess_item
from core.tasks._pair_columns import ITEM, LABEL, PAIR, SENTENCE, named, sides, text_columns, two_texts

USUAL = {
    "sentence": SENTENCE,
    "sentid": ("sentid", "sent_id", "sentence_id"),
    "pairid": PAIR,
    "comparison": LABEL,
    "item": ITEM,
    "roi": ("roi", "region_of_interest", "critical_region"),
}
"""The usual names of the column of each role, the commonest first; case does not matter."""


def guess_columns(table: pd.DataFrame, known: Mapping[str, Any] | None = None) -> Columns:
    """The roles of a table's columns; a role that no column has is empty. `known` are roles that need no guess.

    Names decide first (USUAL). A table with two columns of texts (`good` and `bad`: `core.tasks._pair_columns.TEXTS`)
    and no `sentence` has one pair per row: then `sentence` and `comparison` are empty and `expected` and `unexpected`
    name the two columns. Of other names the comparison is the column that says as often `good` as `bad` (or another
    of the usual pairs), and the sentences are the one of several words with the most different cells. Items and
    conditions follow from what crosses: see `core.studies.experiment.conditions`.
    """
    written = as_text(table)
    names, asked = [str(name) for name in written], known or {}
    known = {role: name for role, name in asked.items() if role not in USUAL or name in ("", *names)}
    texts = two_texts(names)
    roles = {role: named(names, usual) for role, usual in USUAL.items()}
    if texts and not named(names, ["sentence"]):
        roles |= {"sentence": "", "sentid": "", "comparison": "", "expected": texts[0], "unexpected": texts[1]}
    else:
        roles["comparison"] = known.get("comparison", roles["comparison"] or _judging(written))
        roles["sentence"] = roles["sentence"] or (_sentences(written) if roles["comparison"] else "")
        roles |= _sides(written, roles["comparison"])
    columns = Columns(**{**roles, **known, "conditions": ()})
    free = [name for name in names if name not in asdict(columns).values()]
    if not columns.item:
        columns = replace(columns, item=guess_item(written, free, columns))
    free = [name for name in free if name != columns.item]
    conditions = known["conditions"] if "conditions" in known else guess_conditions(written, free, columns)
    return replace(columns, **{**asked, "conditions": conditions})


def _judging(written: pd.DataFrame) -> str:
    """The column that says as often the one as the other of a usual pair of sides; empty if there is none."""
    counts = {str(name): written[name].value_counts() for name in written if written[name].nunique() == 2}
    return next((name for name, n in counts.items() if sides(map(str, n.index)) and n.nunique() == 1), "")


def _sentences(written: pd.DataFrame) -> str:
    """The column of texts with the most different ones; empty if several have."""
    n_distinct = {name: written[name].nunique() for name in text_columns(written)}
    most = [name for name, n in n_distinct.items() if n == max(n_distinct.values())]
    return most[0] if len(most) == 1 else ""


def as_text(table: pd.DataFrame) -> pd.DataFrame:
    """All cells as text without surrounding white space, under names that are text."""
    named_so = table.rename(columns=str)
    return pd.DataFrame({name: cells(named_so[name]).str.strip() for name in named_so})


def cells(column: pd.Series) -> pd.Series:
    """Cells as text: a missing one is empty, a whole number has no decimal point, lists are joined by commas."""
    if isinstance(column.dtype, pd.StringDtype):
        return column.fillna("").astype("str")
    return column.map(_cell).astype("str")


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(map(_cell, value))
    if value is None or value is pd.NA or value != value:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _sides(written: pd.DataFrame, comparison: str) -> dict[str, str]:
    """The comparison column's values for expected and unexpected, if they are one of the usual pairs."""
    known = sides(written[comparison].unique()) if comparison in written else None
    return {"expected": known[0], "unexpected": known[1]} if known else {}
