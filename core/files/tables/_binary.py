"""Tables from XLSX and Parquet files."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

import pandas as pd

from core.errors import InputError
from core.files.tables import _parquet, _sheet
from core.files.tables._names import without_titles
from core.files.tables._rows import Row, table_of_records, table_of_rows, within_limits
from core.files.tables._source import label
from core.messages import Message, unpacked
from core.settings import ROOT, settings

_SECONDS = 60
_NO_XLSX = Message("not a usable XLSX file.")
_SHEETS = 100
"""The most sheets of a workbook that are read."""


def read_parquet(path: Path, trusted: bool) -> pd.DataFrame:
    """A Parquet file, its types kept; one that is not `trusted` as its JSON records, read in a process of its own.

    A damaged file can crash the process that reads it.
    """
    import pyarrow
    import pyarrow.parquet

    if not trusted:
        with _printed(path, _parquet.__name__, Message("not a usable Parquet file.")) as rows:
            return table_of_records(enumerate(map(json.loads, rows), 1), path)
    try:
        meta = pyarrow.parquet.read_metadata(path)
        within_limits(meta.num_rows, meta.num_columns, path)
        return pd.read_parquet(path)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(f"not a usable Parquet file ({type(error).__name__}).", label(path)) from None


def read_xlsx(path: Path) -> pd.DataFrame:
    """The first sheet, every column `str`, as if it had been saved as CSV; formulas by their stored values.

    The parsing is done in a process of its own (`core.files.tables._sheet`), with bounded memory and time.
    """
    with _printed(path, _sheet.__name__, _NO_XLSX, 1) as rows:
        return table_of_rows(_padded(map(json.loads, rows)), path)


def read_sheets(path: Path) -> dict[str, pd.DataFrame]:
    """The sheets by name, each as `read_xlsx` reads the first; empty ones are left out."""
    with _printed(path, _sheet.__name__, _NO_XLSX, _SHEETS) as rows:
        by_sheet = groupby(map(json.loads, rows), key=itemgetter(0))
        return {name: table_of_rows(_padded(cells), path) for name, cells in by_sheet}


@contextmanager
def _printed(path: Path, program: str, unusable: str, *arguments: int) -> Iterator[IO[str]]:
    """The rows of a file as a program prints them that can be stopped and may crash."""
    given = [str(path.resolve()), str(settings().max_document_mb), *map(str, arguments)]
    command = [sys.executable, "-m", program, *given]
    with tempfile.TemporaryFile("w+", encoding="ascii") as rows:
        try:
            done = subprocess.run(
                command, cwd=ROOT, stdout=rows, stderr=subprocess.PIPE, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise InputError(f"takes longer than {_SECONDS} s to read. Save the table as CSV.", label(path)) from None
        if done.returncode:
            raise InputError(_said(done.stderr) or unusable, label(path))
        rows.seek(0)
        yield rows


def _said(written: str) -> str:
    """What the process said at last; empty if it was killed."""
    try:
        return unpacked(json.loads(written.rpartition("\n")[2]))
    except ValueError:
        return ""


def _padded(rows: Iterable[list[Any]]) -> Iterator[Row]:
    """Rows made as long as the names of the columns: a spreadsheet does not store empty cells."""
    width = 0
    for number, _, cells in without_titles((number, number, cells) for _, number, *cells in rows):
        width = width or len(cells)
        yield number, number, cells + [""] * (width - len(cells))
