"""The columns of a table by role, given or found by their usual names, and their cells as texts and numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.labels import SYSTEMS, spellings
from core.messages import Message

if TYPE_CHECKING:
    import pandas as pd


_READ = 500
"""So many rows are looked at for what a column holds."""
_MOST_LABELS = 6


def chosen(
    table: pd.DataFrame, usual: Mapping[str, tuple[str, ...]], given: Mapping[str, str], where: str
) -> dict[str, str]:
    """The column of each role: the given one, else the first with a usual name, whatever its case.

    Raises InputError for a given role or column that does not exist.
    """
    written = {str(name).strip().lower(): name for name in table.columns}
    found = {}
    for role, names in usual.items():
        if given.get(role):
            if given[role] not in table.columns:
                raise no_column(repr(given[role]), table, where)
            found[role] = given[role]
        elif name := next((written[name] for name in names if name in written), ""):
            found[role] = name
    if wrong := set(given) - set(usual):
        raise InputError(f"a column for {', '.join(usual)} can be named, not for {', '.join(sorted(wrong))}.", where)
    return found


def guessed(table: pd.DataFrame, usual: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The column of each role: by its usual name, else by what is in it; roles that nothing fits have none.

    Premise and hypothesis are the first columns of sentences, labels the one with a system's labels or with few
    different values, ids the one whose values are all different.
    """
    found = chosen(table, usual, {}, "")
    cells = {str(name): texts(table[name].head(_READ)) for name in table.columns if name not in found.values()}
    for role in (role for role in ("premise", "hypothesis", "gold", "label", "id") if role in usual):
        if role not in found and (name := next((name for name in cells if _may_be(role, cells[name])), "")):
            found[role] = name
            del cells[name]
    return {role: str(name) for role, name in found.items()}


def _may_be(role: str, cells: list[str]) -> bool:
    """Whether these cells look like those of a role."""
    values = {cell.lower() for cell in cells} - {""}
    if role in ("premise", "hypothesis"):
        return sum(cell.count(" ") for cell in cells) >= 2 * len(cells)
    if role == "id":
        return len(values) == len(cells)
    few = 1 < len(values) <= min(_MOST_LABELS, len(cells) / 2)
    return few or (bool(values) and any(values <= {*spellings(system)} for system in SYSTEMS))


def no_column(name: str, table: pd.DataFrame, where: str) -> InputError:
    """The error for a column that a table does not have."""
    found = ", ".join(map(str, table.columns))
    return InputError(Message("no column {name}. Found {found}.", name=name, found=found), where)


def in_row(row: int, where: str) -> Message:
    """The place of a row, counted from 1, in messages."""
    return Message("{file}, row {row}", file=where, row=row)


def texts(column: pd.Series) -> list[str]:
    """Cells as stripped texts; missing ones are empty, whole numbers have no decimal point."""
    import pandas as pd

    if pd.api.types.is_float_dtype(column) and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    cells = column.astype("object")
    return [str(cell).strip() for cell in cells.where(cells.notna(), "")]


def numbers(column: pd.Series, where: str) -> list[float]:
    """Cells as numbers, with decimal point or comma; NaN where empty; InputError, with the row, for other cells."""
    import pandas as pd

    if not pd.api.types.is_numeric_dtype(column):
        written = pd.Series(texts(column), index=column.index, dtype="str")
        read = pd.to_numeric(written.str.replace(",", ".", regex=False), errors="coerce")
        wrong = (read.isna() & (written != "")).to_numpy()
        if wrong.any():
            row = int(wrong.argmax())
            said = Message(
                "{value!r} in column {column!r} is not a number.", value=written.iloc[row][:40], column=column.name
            )
            raise InputError(said, in_row(row + 1, where))
        column = read
    return [value if math.isfinite(value) else math.nan for value in column.astype("float64").tolist()]
