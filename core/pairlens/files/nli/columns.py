"""The columns of a table by role, given or found by their usual names, and their cells as texts and numbers."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from pairlens.errors import InputError
from pairlens.files.labels import SYSTEMS, spellings
from pairlens.messages import Message, either

if TYPE_CHECKING:
    import pandas as pd


_READ = 500
"""So many rows are looked at for what a column holds."""
_MOST_LABELS = 6
_CLASS = re.compile(r"(label|class)[ _-]?\d")
_NO_COLUMN = {
    "premise": Message("no column with the premise (as {usual}). Found {found}. Say which column it is."),
    "hypothesis": Message("no column with the hypothesis (as {usual}). Found {found}. Say which column it is."),
    "gold": "no column with the label (as {usual}). Found {found}. Say which column it is.",
    "label": Message("no column with the label of each answer. Call it {usual}. Found {found}."),
}
_HEADINGS: Mapping[str, re.Pattern[str]] = {
    "gold": re.compile(
        "gold|ouro|or|truth|verdade|verite|referenc(e|ia)|correct[ae]?|corret[oa]|expected|esperad[oa]|attendue?|human[oa]?"
    ),
    "label": re.compile(
        "model[eo]?|predi.*|previs(ao|to|ta)|answers?|respostas?|reponses?|output|saida|sortie|s[iy]stem[ae]?"
    ),
}
"""Words in headings for the gold label and for a model's answer, without accents."""


def chosen(
    table: pd.DataFrame, usual: Mapping[str, tuple[str, ...]], named: Mapping[str, str], where: str
) -> dict[str, str]:
    """The column of each role, whatever its case: the given one, else a usual one; InputError for one that lacks."""
    headings = {
        **{str(name).strip().lower(): name for name in table.columns},
        **{name: name for name in table.columns},
    }
    columns = {}
    for role, names in usual.items():
        wanted = (named[role], named[role].lower()) if named.get(role) else names
        if name := next((headings[name] for name in wanted if name in headings), ""):
            columns[role] = name
        elif named.get(role):
            raise no_column(repr(named[role]), table, where)
    if wrong := set(named) - set(usual):
        raise InputError(f"a column for {', '.join(usual)} can be named, not for {', '.join(sorted(wrong))}.", where)
    return columns


def refuse_missing(
    needed: Iterable[str],
    names: Mapping[str, str],
    usual: Mapping[str, tuple[str, ...]],
    table: pd.DataFrame,
    where: str,
) -> None:
    """InputError for a role that is needed and has no column."""
    for role in needed:
        if role not in names:
            headings = ", ".join(map(str, table.columns))
            raise InputError(Message(_NO_COLUMN[role], usual=either(usual[role][:3]), found=headings), where)


def guessed(table: pd.DataFrame, usual: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The column of each role: by its usual name, else by what is in it; roles that nothing fits have none.

    Premise and hypothesis are the first columns of sentences, ids the first one whose values are all different. Of
    several columns of labels, headings tell which is gold and which a model's answer; else the first is gold, the
    last the answer. A column that is called like the other of the two is not taken.
    """
    columns = {role: str(name) for role, name in chosen(table, usual, {}, "").items()}
    cells = {str(name): texts(table[name].head(_READ)) for name in table.columns}
    for role in (role for role in ("gold", "label", "premise", "hypothesis", "id") if role in usual):
        free = {name: cells[name] for name in cells if name not in columns.values() or name == columns.get(role)}
        best = _column_of(role, free)
        if best and (role not in columns or _called(best) == role != _called(columns[role])):
            columns[role] = best
    return columns


def _column_of(role: str, cells: Mapping[str, list[str]]) -> str:
    """The column among these that looks most like those of a role; empty if none does."""
    if role in _HEADINGS:
        labels = _labels(cells)
        own = [name for name in labels if _called(name) == role] or [name for name in labels if not _called(name)]
        return own[0 if role == "gold" else -1] if own else ""
    fits = _are_sentences if role != "id" else lambda column: len({*column} - {""}) == len(column)
    return next((name for name in cells if fits(cells[name])), "")


def _labels(cells: Mapping[str, list[str]]) -> list[str]:
    """The columns with a system's labels or a network's names of classes; if none has, with few different values."""
    known, certain, few = [{*spellings(system)} for system in SYSTEMS], [], []
    for name, column in cells.items():
        there = {cell.lower() for cell in column} - {""}
        if there and (any(there <= labels for labels in known) or all(map(_CLASS.fullmatch, there))):
            certain.append(name)
        if 1 < len(there) <= min(_MOST_LABELS, len(column) / 2) and not _are_sentences(column):
            few.append(name)
    return certain or few


def _called(name: str) -> str:
    """Whether a heading has a word for the gold label (`gold`) or a model's answer (`label`); empty for neither."""
    letters = unicodedata.normalize("NFD", name.casefold())
    words = re.findall(r"[a-z]+", "".join(letter for letter in letters if not unicodedata.combining(letter)))
    return next((role for role, known in _HEADINGS.items() if any(map(known.fullmatch, words))), "")


def _are_sentences(column: list[str]) -> bool:
    return sum(cell.count(" ") for cell in column) >= 2 * len(column)


def no_column(name: str, table: pd.DataFrame, where: str) -> InputError:
    there = ", ".join(map(str, table.columns))
    return InputError(Message("no column {name}. Found {found}.", name=name, found=there), where)


def in_row(where: str, row: int) -> Message:
    return Message("{file}, row {row}", file=where, row=row)


def texts(column: pd.Series) -> list[str]:
    """Cells as stripped texts; missing ones are empty, whole numbers have no decimal point."""
    import pandas as pd

    if pd.api.types.is_float_dtype(column) and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    cells = column.astype("object")
    return [str(cell).strip() for cell in cells.where(cells.notna(), "")]


def numbers(column: pd.Series, place: Callable[[int], Message]) -> list[float]:
    """Cells as numbers, with decimal point or comma; NaN where empty; InputError, with the row, for other cells."""
    import pandas as pd

    if not pd.api.types.is_numeric_dtype(column):
        written = pd.Series(texts(column), name=column.name, dtype="str")
        column = pd.to_numeric(written.str.replace(",", ".", regex=False), errors="coerce")
        for row in (column.isna() & (written != "")).to_numpy().nonzero()[0][:1]:
            wrong = Message(
                "{value!r} in column {column!r} is not a number.", value=written[row][:40], column=column.name
            )
            raise InputError(wrong, place(int(row) + 1))
    return [value if math.isfinite(value) else math.nan for value in column.astype("float64").tolist()]
