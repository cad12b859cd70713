"""Which columns of a table are items and conditions, from how their values cross; and what the other columns are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import pandas as pd

from core.analysis.experiment import Columns

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
    usable = [name for name in free if not _is_label(name, cells[name]) and _repeats(cells[name], units)]
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


def _is_label(name: str, column: pd.Series) -> bool:
    numerals = _NUMBER.fullmatch(name) and column.str.fullmatch(r"\d*").all()
    return bool(_IDENTIFIER.fullmatch(name) or _LIST.fullmatch(name) or numerals)


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
