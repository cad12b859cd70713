"""Tables from XLSX and Parquet files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TextIO

import pandas as pd

from core.errors import InputError
from core.files.apart import printed
from core.files.tables import _sheet
from core.files.tables._layout import place_of
from core.files.tables._names import without_titles
from core.files.tables._rows import Row, column_names, table_of_rows, within_limits
from core.files.tables._source import label
from core.messages import Message, joined
from core.settings import settings

_SECONDS = 60
_NO_XLSX = Message("not a usable XLSX file.")
_SHEETS = 100
"""The most sheets of a workbook that are read."""


def read_parquet(path: Path) -> pd.DataFrame:
    """A Parquet file, its types kept, without pandas' index. A damaged one can crash its reader: another process."""
    import pyarrow

    from core.files.tables import _parquet

    unusable = Message("not a usable Parquet file.")
    with _printed(path, _parquet.__name__, unusable, limit_mb=settings().max_unpacked_mb) as rows:
        table = pyarrow.ipc.open_stream(rows.buffer).read_all()
    within_limits(table.num_rows, table.num_columns, path)
    table = table.drop_columns([name for name in {*table.column_names} if name.startswith("__index_level_")])
    names = column_names(table.column_names, label(path), path)
    try:
        named = table.rename_columns(names)
        frame: pd.DataFrame = named.to_pandas(ignore_metadata=True, integer_object_nulls=True)
    except (pyarrow.ArrowException, ValueError, TypeError, KeyError):  # of types that pandas does not have
        raise InputError(unusable, label(path)) from None
    return frame


def read_xlsx(path: Path, sheet: str) -> pd.DataFrame:
    """A sheet, every column `str`, as if it had been saved as CSV; formulas by their stored values.

    By default it is the first with a table of sentences, else with text. If there are others, `attrs["place"]` names
    it and them.
    The parsing is done in a process of its own (`core.files.tables._sheet`), with bounded memory and time.
    """
    with _printed(path, _sheet.__name__, _NO_XLSX, 1, sheet or settings().sheet) as rows:
        names = json.loads(next(rows))
        place = place_of(path, names)
        try:
            table = table_of_rows(_padded(map(json.loads, rows)), path)
        except InputError as error:
            raise InputError(joined((error.message, place)) if place else error.message) from None
    table.attrs |= {"place": place} if place else {}
    return table


@lru_cache(maxsize=64)
def sheets_of(path: Path, sheet: str, *state: int) -> list[str]:  # noqa: ARG001 (a changed file is looked at again)
    """The names of the sheets with text, first the one that `read_xlsx` reads. `state` is that of the file."""
    with _printed(path, _sheet.__name__, _NO_XLSX, 0, sheet) as rows:
        return [*json.loads(next(rows))]


def read_sheets(path: Path) -> dict[str, pd.DataFrame]:
    """The sheets by name, each as `read_xlsx` reads the first; empty ones are left out."""
    with _printed(path, _sheet.__name__, _NO_XLSX, _SHEETS, "") as rows:
        next(rows)
        by_sheet = groupby(map(json.loads, rows), key=itemgetter(0))
        return {name: table_of_rows(_padded(cells), path) for name, cells in by_sheet}


@contextmanager
def _printed(
    path: Path, program: str, unusable: str, *arguments: int | str, limit_mb: int | None = None
) -> Iterator[TextIO]:
    """The rows of a file as a program prints them that can be stopped and may crash."""
    given = [str(path.resolve()), str(limit_mb or settings().max_document_mb), *map(str, arguments)]
    too_slow = f"takes longer than {_SECONDS} s to read. Save the table as CSV."
    with printed(program, given, label(path), unusable, too_slow, _SECONDS) as rows:
        yield rows


def _padded(rows: Iterable[list[Any]]) -> Iterator[Row]:
    """Rows made as long as the names of the columns: a spreadsheet does not store empty cells."""
    width = 0
    for number, _, cells in without_titles((number, number, cells) for _, number, *cells in rows):
        width = width or len(cells)
        yield number, number, cells + [""] * (width - len(cells))
