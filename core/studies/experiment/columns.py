"""Which column of a table plays which role, guessed from the usual names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.experiment import Columns
from core.tasks._pair_columns import ITEM, LABEL, PAIR, SENTENCE, named, sides, text_columns, two_texts

_NAMED = "condition|condição|condicao|condición|bedingung|factor|fator|facteur|faktor"
_CONDITION = re.compile(rf"(cond|{_NAMED})s?([ _.]?\w)?|({_NAMED})[ _.].+|condições|condiciones", re.IGNORECASE)
_LIST = re.compile(
    r"(list|lista|liste|group|grupo|groupe|gruppe|participante?|subject|sujet|sujeito|proband)(s|en)?"
    r"([ _.-]?(id|nr|no|number|\w))?",
    re.IGNORECASE,
)
"""A counterbalanced list, or who was asked: both cross with items as conditions do, so that only names tell."""
_IDENTIFIER = re.compile(r".*(id|nr|index)", re.IGNORECASE)
_NUMBER = re.compile(r".*number", re.IGNORECASE)
_CODE = r"\d*|\w"
"""A cell of numerals or of one letter."""
_MOST_VALUES = 12


def guess_item(cells: pd.DataFrame, free: Sequence[str], columns: Columns) -> str:
    """The column whose values cross with the others; of several the one with the most and then the shortest values.

    Each value is in equally many rows, two or more but fewer than there are values, no two of which are alike in the
    columns of few values; with a comparison as many are on either side, with pairs each value has several of them.
    """
    few = [name for name in free if cells[name].nunique() <= _MOST_VALUES]
    n_pairs = cells[columns.pairid].nunique() if columns.pairid else len(cells)
    sizes: dict[str, int] = {}
    for name in free:
        n_rows = cells[name].value_counts()
        if _LIST.fullmatch(name) or "" in n_rows or not 2 <= n_rows.max() == n_rows.min() < len(n_rows) < n_pairs:
            continue
        if columns.pairid and not _is_within(cells, columns.pairid, name):
            continue
        inner = {name, *few, columns.comparison} - {""}
        if not cells.duplicated(list(inner)).any() and _is_balanced(cells, [name], columns):
            sizes[name] = len(n_rows)
    return max(sizes, key=lambda name: (sizes[name], -cells[name].str.len().mean()), default="")


def guess_conditions(cells: pd.DataFrame, free: Sequence[str], columns: Columns) -> tuple[str, ...]:
    """The columns named so (`condition`, `cond1`, `factor_a`); without any, those that cross with the items.

    They have 2 to 12 values, each in at least two items (of the only item: rows), vary within most items, and tell
    an item's sentences (or pairs) apart that no earlier condition does; words precede codes, which may be those of
    lists. Where items do not repeat, they are the columns with values that repeat over the pairs, or rows, and are
    the same within a pair.
    """
    if named := [name for name in free if _CONDITION.fullmatch(name)]:
        return tuple(named)
    unit = unit_of(cells, columns)
    units = cells[unit] if unit else pd.Series(range(len(cells)), cells.index)
    numerals = {name for name in free if _NUMBER.fullmatch(name) and cells[name].str.fullmatch(r"\d*").all()}
    labels = {name for name in free if _IDENTIFIER.fullmatch(name) or _LIST.fullmatch(name)} | numerals
    usable = [name for name in free if name not in labels and _repeats(cells[name], units)]
    if unit != columns.item or not unit:
        return tuple(name for name in usable if not unit or _is_within(cells, unit, name))
    chosen: list[str] = []
    size = 2 if columns.comparison and columns.sentence else 1
    for name in sorted(usable, key=lambda name: bool(cells[name].str.fullmatch(_CODE).all())):
        varies = cells[name].groupby(units).nunique().gt(1).mean() > 0.5
        apart = cells.groupby([unit, *chosen]).size().median() > size
        if varies and apart and _is_balanced(cells, [unit, *chosen, name], columns):
            chosen.append(name)
    return tuple(name for name in free if name in chosen)


def unit_of(cells: pd.DataFrame, columns: Columns) -> str:
    """The column of items where these repeat, else that of pairs; empty if there is neither."""
    repeated = columns.item and cells[columns.item].duplicated().any()
    return columns.item if repeated else columns.pairid


def others(cells: pd.DataFrame, columns: Columns) -> Iterator[tuple[str, str]]:
    """Each column without a role, and why it is no condition."""
    unit = unit_of(cells, columns)
    for name in cells.columns.difference([*asdict(columns).values(), *columns.conditions], sort=False):
        n = cells[name].nunique()
        if _LIST.fullmatch(name):
            yield name, "a list"
        elif n < 2:
            yield name, "the same everywhere"
        elif unit and _is_within(cells, unit, name):
            yield name, "the same within an item" if unit == columns.item else "the same within a pair"
        else:
            yield name, "a value per row" if n == len(cells) else "not crossed with the items"


def _repeats(column: pd.Series, units: pd.Series) -> bool:
    """Whether a column has few values, each in several units; of a single unit in several rows."""
    if not 2 <= column.nunique() <= _MOST_VALUES:
        return False
    values = units.groupby(column)
    return bool((values.nunique() if units.nunique() > 1 else values.size()).min() > 1)


def _is_within(cells: pd.DataFrame, unit: str, name: str) -> bool:
    """Whether a column has one value per unit."""
    return bool(cells.groupby(unit)[name].nunique().max() == 1)


def _is_balanced(cells: pd.DataFrame, names: Sequence[str], columns: Columns) -> bool:
    """Whether most cells have as many expected as unexpected sentences; True where nothing is compared."""
    if not columns.sentence or not columns.comparison:
        return True
    said = cells[columns.comparison].str.casefold()
    sides = [said == side.casefold() for side in (columns.expected, columns.unexpected)]
    keys = [cells[name] for name in names]
    expected, unexpected = (side.groupby(keys).sum() for side in sides)
    return bool(((expected == unexpected) | (expected + unexpected == 0)).mean() > 0.5)


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
    conditions follow from what crosses: see `core.studies.experiment.columns`.
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
        known_sides = sides(written[comparison].unique()) if (comparison := roles["comparison"]) in written else None
        roles |= dict(zip(("expected", "unexpected"), known_sides or (), strict=False))
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
