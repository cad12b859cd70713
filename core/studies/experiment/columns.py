"""Which column of a table plays which role, guessed from the usual names."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from core.analysis.experiment import Columns
from core.tasks._pair_columns import ITEM, LABEL, PAIR, SENTENCE, named, sides, two_texts

USUAL = {
    "sentence": SENTENCE,
    "sentid": ("sentid", "sent_id", "sentence_id"),
    "pairid": PAIR,
    "comparison": LABEL,
    "item": ITEM,
    "roi": ("roi", "region_of_interest", "critical_region"),
}
"""The usual names of the column of each role, the commonest first; case does not matter."""
_CONDITION = re.compile(r"(cond|condition|factor)s?([ _.]?\w)?|(condition|factor)[ _.].+", re.IGNORECASE)
_IDENTIFIER = re.compile(r".*(id|nr|index)", re.IGNORECASE)
_NUMBER = re.compile(r".*number", re.IGNORECASE)
_MOST_VALUES = 12


def guess_columns(table: pd.DataFrame) -> Columns:
    """The roles of a table's columns, by the names in USUAL; a role that no column has is empty.

    A table with two columns of texts (`good` and `bad`: `core.tasks._pair_columns.TEXTS`) and no `sentence` has one
    pair per row: then `sentence` and `comparison` are empty and `expected` and `unexpected` name the two columns.

    Conditions are the columns named so (`condition`, `cond1`, `factor_a`). Without any, they are the other columns
    with 2 to 12 different values, each in at least two pairs (or rows, without pairs), that are the same for both
    sentences of a pair. Names that end in `id` are not conditions, nor are those that end in `number`, unless it is
    the grammatical one: its values are words.
    """
    names = [str(name) for name in table.columns]
    texts = two_texts(names)
    if texts and not named(names, ["sentence"]):
        roles = {"sentence": "", "sentid": "", "comparison": "", "expected": texts[0], "unexpected": texts[1]}
        roles |= {role: named(names, USUAL[role]) for role in ("pairid", "item", "roi")}
    else:
        roles = {role: named(names, usual) for role, usual in USUAL.items()}
        roles |= _sides(table, roles["comparison"])
    conditions = _conditions(table, set(roles.values()), roles["pairid"])
    return Columns(**roles, conditions=conditions)


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


def _sides(table: pd.DataFrame, comparison: str) -> dict[str, str]:
    """The comparison column's values for expected and unexpected, if they are one of the usual pairs."""
    if not comparison:
        return {}
    known = sides(cells(table[comparison]).unique())
    return {"expected": known[0], "unexpected": known[1]} if known else {}


def _conditions(table: pd.DataFrame, taken: set[str], pairid: str) -> tuple[str, ...]:
    others = [str(name) for name in table.columns if name not in taken]
    if named_so := [name for name in others if _CONDITION.fullmatch(name)]:
        return tuple(named_so)
    pairs = cells(table[pairid]) if pairid else pd.Series(range(len(table)), index=table.index)
    return tuple(
        name for name in others if not _numbers(name, table) and _repeats(cells(table[name]).str.strip(), pairs)
    )


def _numbers(name: str, table: pd.DataFrame) -> bool:
    numerals = _NUMBER.fullmatch(name) and cells(table[name]).str.fullmatch(r"\d*").all()
    return bool(_IDENTIFIER.fullmatch(name) or numerals)


def _repeats(column: pd.Series, pairs: pd.Series) -> bool:
    """Whether a column has few values, each in several pairs, and one value per pair."""
    if not 2 <= column.nunique() <= _MOST_VALUES:
        return False
    distinct = pd.DataFrame({"value": column, "pair": pairs}).drop_duplicates()
    return bool(distinct["value"].value_counts().min() > 1 and not distinct["pair"].duplicated().any())
