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
from core.files.tables import _sheet
from core.files.tables._rows import Row, table_of_rows, within_limits
from core.files.tables._source import label
from core.messages import Message, unpacked
from core.settings import ROOT, settings

_SECONDS = 60
_SHEETS = 100
"""The most sheets of a workbook that are read."""


def read_parquet(path: Path, trusted: bool) -> pd.DataFrame:
    """A Parquet file of trusted origin, its types kept."""
    import pyarrow
    import pyarrow.parquet

    if not trusted:
        raise InputError(
            Message(
                "Parquet files that were brought here are not opened, because a damaged one can crash the program. "
                "Save the table as CSV, TSV, JSON lines or XLSX."
            ),
            label(path),
        )
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
    with _printed(path, 1) as rows:
        return table_of_rows(_padded(map(json.loads, rows)), path)


def read_sheets(path: Path) -> dict[str, pd.DataFrame]:
    """The sheets by name, each as `read_xlsx` reads the first; empty ones are left out."""
    with _printed(path, _SHEETS) as rows:
        by_sheet = groupby(map(json.loads, rows), key=itemgetter(0))
        return {name: table_of_rows(_padded(cells), path) for name, cells in by_sheet}


@contextmanager
def _printed(path: Path, sheets: int) -> Iterator[IO[str]]:
    """The rows of the first sheets as `core.files.tables._sheet` prints them."""
    arguments = [str(path.resolve()), str(settings().max_document_mb), str(sheets)]
    command = [sys.executable, "-m", _sheet.__name__, *arguments]
    with tempfile.TemporaryFile("w+", encoding="ascii") as rows:
        try:
            done = subprocess.run(
                command, cwd=ROOT, stdout=rows, stderr=subprocess.PIPE, text=True, timeout=_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise InputError(
                f"takes longer than {_SECONDS} s to read as a spreadsheet. Save the table as CSV.", label(path)
            ) from None
        if done.returncode:
            raise InputError(_said(done.stderr), label(path))
        rows.seek(0)
        yield rows


def _said(written: str) -> str:
    """What the process said at last; nothing of use if it was killed."""
    try:
        return unpacked(json.loads(written.rpartition("\n")[2]))
    except ValueError:
        return Message("not a usable XLSX file.")


def _padded(rows: Iterable[list[Any]]) -> Iterator[Row]:
    """Rows made as long as the first: a spreadsheet does not store empty cells."""
    width = 0
    for _, number, *cells in rows:
        width = width or len(cells)
        yield number, cells + [""] * (width - len(cells))
