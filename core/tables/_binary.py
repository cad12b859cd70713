"""Tables from XLSX and Parquet files."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.settings import settings
from core.tables._rows import Row, table_of_rows, within_limits
from core.tables._source import MB, label

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def read_parquet(path: Path, trusted: bool) -> pd.DataFrame:
    """A Parquet file of a trusted origin, its types kept."""
    import pyarrow
    import pyarrow.parquet

    if not trusted:
        raise InputError(
            "Parquet files that were brought here are not opened, because a damaged one can crash the program. "
            "Save the table as CSV, TSV, JSON lines or XLSX.",
            label(path),
        )
    try:
        meta = pyarrow.parquet.read_metadata(path)
        within_limits(meta.num_rows, meta.num_columns, path)
        return pd.read_parquet(path)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise InputError(f"not a usable Parquet file ({type(error).__name__}).", label(path)) from None


def read_xlsx(path: Path) -> pd.DataFrame:
    """The first sheet, every column `str`, as if it had been saved as CSV; formulas by their stored values."""
    try:
        _bounded(path)
        with warnings.catch_warnings(action="ignore"):
            return table_of_rows(_padded(_sheet_rows(path)), path)
    except InputError:
        raise
    except Exception as error:  # openpyxl has no error of its own for a damaged file: any type can come out of it
        raise InputError(f"not a usable XLSX file ({type(error).__name__}).", label(path)) from None


def _bounded(path: Path) -> None:
    limit = settings().max_document_mb
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > limit * MB:
            raise InputError(
                f"unpacks to more than {limit} MB, the limit for one spreadsheet (max_document_mb). "
                "Save the table as CSV.",
                label(path),
            )


def _sheet_rows(path: Path) -> Iterator[Row]:
    """Rows that are not blank, without the empty cells at their ends."""
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # the size that a file claims for its sheet can be far beyond its cells
        rows = islice(sheet.iter_rows(values_only=True), settings().max_rows + 2)
        for number, values in enumerate(rows, start=1):
            cells = [_text(value) for value in values]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield number, cells
    finally:
        book.close()


def _padded(rows: Iterator[Row]) -> Iterator[Row]:
    """Rows made as long as the first: a spreadsheet does not store empty cells."""
    width = 0
    for number, cells in rows:
        width = width or len(cells)
        yield number, cells + [""] * (width - len(cells))


def _text(value: object) -> str:
    """A cell as CSV would have it. Characters that XML cannot hold come escaped, as `_x000D_`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if isinstance(value, str) else str(value)
