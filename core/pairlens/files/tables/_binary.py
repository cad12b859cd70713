"""Tables from XLSX and Parquet files."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.errors import InputError
from pairlens.files import apart
from pairlens.files.tables import _sheet
from pairlens.files.tables._names import without_titles
from pairlens.files.tables._rows import Row, column_names, table_of_rows, within_limits
from pairlens.files.tables._source import label, place_of
from pairlens.messages import Message, joined
from pairlens.settings import settings

_SHEETS = 100
"""The most sheets of a workbook that are read."""


def read_parquet(path: Path) -> pd.DataFrame:
    """A Parquet file, its types kept, without pandas' index. A damaged one can crash its reader: another process."""
    import pyarrow

    from pairlens.files import parquet

    table: Any = apart.read(parquet.rows, path, where=label(path))
    if isinstance(table, pyarrow.RecordBatchReader):  # this is that process
        table = table.read_all()
    within_limits(table.num_rows, table.num_columns, path)
    table = table.drop_columns([name for name in {*table.column_names} if name.startswith("__index_level_")])
    names = column_names(table.column_names, label(path), path)
    try:
        named = table.rename_columns(names)
        frame: pd.DataFrame = named.to_pandas(ignore_metadata=True, integer_object_nulls=True)
    except (pyarrow.ArrowException, ValueError, TypeError, KeyError):  # of types that pandas does not have
        raise InputError(Message("not a usable Parquet file."), label(path)) from None
    return frame


def read_xlsx(path: Path, sheet: str) -> pd.DataFrame:
    """A sheet, every column `str`, as if it had been saved as CSV; formulas by their stored values."""
    names, rows = _rows(path, 1, sheet or settings().sheet)
    place = place_of(path, names)
    try:
        table = table_of_rows(_padded(rows), path)
    except InputError as error:
        raise InputError(joined((error.message, place)) if place else error.message) from None
    table.attrs |= {"place": place} if place else {}
    return table


@lru_cache(maxsize=64)
def sheets_of(path: Path, sheet: str, *state: int) -> list[str]:  # noqa: ARG001 (a changed file is looked at again)
    return _rows(path, 0, sheet)[0]


def read_sheets(path: Path) -> dict[str, pd.DataFrame]:
    by_sheet = groupby(_rows(path, _SHEETS, "")[1], key=itemgetter(0))
    return {name: table_of_rows(_padded(cells), path) for name, cells in by_sheet}


def _rows(path: Path, sheets: int, name: str) -> tuple[list[str], Iterator[_sheet.SheetRow]]:
    """As `pairlens.files.tables._sheet.rows`, whose parser can take gigabytes and minutes: in a process of its
    own."""
    names, rows = apart.read(_sheet.rows, path, sheets, name, where=label(path))
    batches = rows.to_batches() if hasattr(rows, "to_batches") else rows
    columns = (batch.to_pydict().values() for batch in batches)
    return names, (row for values in columns for row in zip(*values, strict=True))


def _padded(rows: Iterable[_sheet.SheetRow]) -> Iterator[Row]:
    width = 0
    for number, _, cells in without_titles((number, number, cells) for _, number, cells in rows):
        width = width or len(cells)
        yield number, number, cells + [""] * (width - len(cells))
