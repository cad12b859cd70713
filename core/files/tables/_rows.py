"""Rows of cells and JSON records as a DataFrame, within the limits on rows and columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from core.errors import InputError
from core.files.tables._source import in_line, label, shown
from core.messages import Message
from core.settings import settings

Row = tuple[int, list[str]]
"""The line (or sheet row) at which a row begins, and its cells."""

_BATCH_CELLS = 500_000


def table_of_rows(rows: Iterator[Row], path: Path) -> pd.DataFrame:
    """All columns `str`. The first row names the columns; every other has as many cells."""
    line, cells = next(rows, (1, []))
    header = _header(cells, in_line(line, path), path)
    checked = _even(rows, header, path)
    batches = []
    n_rows = 0
    while batch := list(islice(checked, 1 + _BATCH_CELLS // len(header))):
        n_rows += len(batch)
        within_limits(n_rows, len(header), path)
        batches.append(pd.DataFrame(batch, columns=header, dtype="str"))
    return pd.concat(batches, ignore_index=True) if batches else pd.DataFrame(columns=header, dtype="str")


def table_of_records(records: Iterable[dict[str, Any]], path: Path) -> pd.DataFrame:
    """Columns in order of first appearance; fields may be missing from records."""
    rows: list[dict[str, Any]] = []
    columns: dict[str, None] = {}
    for record in records:
        rows.append(record)
        columns.update(dict.fromkeys(record))
        within_limits(len(rows), len(columns), path)
    if not columns:
        raise InputError("the table has no columns.", label(path))
    return pd.DataFrame(rows, columns=list(columns))


def within_limits(n_rows: int, n_columns: int, path: Path) -> None:
    """Raise InputError if the table is larger than the settings allow."""
    limits = settings()
    if n_rows > limits.max_rows:
        raise InputError(f"more than {limits.max_rows:,} rows, the limit (max_rows).", label(path))
    if n_columns > limits.max_columns:
        raise InputError(f"{n_columns:,} columns; the limit is {limits.max_columns:,} (max_columns).", label(path))


def _header(cells: list[str], where: str, path: Path) -> list[str]:
    """Column names, trimmed; an empty one is named by its place."""
    if not cells:
        raise InputError(Message("the file is empty. Expected a header line with the column names."), label(path))
    within_limits(0, len(cells), path)
    names = [cell.strip() or f"column {place}" for place, cell in enumerate(cells, start=1)]
    seen: set[str] = set()
    for place, name in enumerate(names, start=1):
        if name in seen:
            raise InputError(f"column {place} has the name {shown(name)} of an earlier column.", where)
        seen.add(name)
    return names


def _even(rows: Iterator[Row], header: list[str], path: Path) -> Iterator[list[str]]:
    for line, cells in rows:
        if len(cells) != len(header):
            names = ", ".join(shown(name, 20) for name in header[:6]) + (", …" if len(header) > 6 else "")
            raise InputError(
                Message(
                    "found {n:,} cells, expected {expected} ({names}).",
                    n=len(cells),
                    expected=len(header),
                    names=names,
                ),
                in_line(line, path),
            )
        yield cells
