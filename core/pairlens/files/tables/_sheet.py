"""The rows of an XLSX file, as a process of its own reads them (`pairlens.files.apart`)."""

from __future__ import annotations

import gc
import re
import warnings
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pairlens.errors import InputError, unknown
from pairlens.files.tables._names import LOOKED_AT, ends
from pairlens.files.tables._source import LAST_ROW, MB, explained, label
from pairlens.messages import Message
from pairlens.settings import settings

if TYPE_CHECKING:
    import pyarrow as pa
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

SheetRow = tuple[str, int, list[str]]
"""The name of the sheet, the number of the row, its cells without empty ones at the end."""

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_ROWS = 500


def rows(path: Path, sheets: int, name: str) -> tuple[list[str], pa.RecordBatchReader]:
    """The names of the sheets that are not blank, and the rows of the first `sheets` of them.

    For fewer than two, the first is the one called `name`, else the first that has a table of sentences, if any.
    """
    import pyarrow as pa

    gc.disable()  # millions of cells in one row would be visited again and again; memory is bounded anyway
    warnings.simplefilter("ignore")
    with explained(path, _unusable):
        listed = _with_text(path)
        if sheets < 2 and listed:
            titles = [sheet.title for sheet in listed]
            if name and name not in titles:
                raise InputError(unknown("sheet", name, titles), label(path))
            sheet = listed[titles.index(name)] if name else next(filter(_has_sentences, listed), listed[0])
            listed = [sheet, *(other for other in listed if other is not sheet)]
    schema = pa.schema({"sheet": pa.string(), "row": pa.int64(), "cells": pa.list_(pa.string())}.items())
    batches = _batches(listed[:sheets], schema, path)
    return [sheet.title for sheet in listed], pa.RecordBatchReader.from_batches(schema, batches)


def _unusable(_: Exception) -> Message:
    return Message("not a usable XLSX file. Save it again as an Excel workbook (.xlsx) or as CSV.")


def _with_text(path: Path) -> list[ReadOnlyWorksheet]:
    import openpyxl

    limit = settings().max_document_mb
    with zipfile.ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > limit * MB:
            message = Message("unpacks to more than {limit} MB, the limit (max_document_mb).", limit=limit)
            raise InputError(message, label(path))
    sheets = openpyxl.load_workbook(path, read_only=True, data_only=True).worksheets
    for sheet in sheets:
        sheet.reset_dimensions()  # the size that a file claims for its sheet can be far beyond its cells
    return [sheet for sheet in sheets if any(map(any, islice(sheet.iter_rows(values_only=True), LAST_ROW)))]


def _batches(sheets: list[ReadOnlyWorksheet], schema: pa.Schema, path: Path) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    limit, size = settings().max_document_mb, 0
    with explained(path, _unusable):
        numbered = ((sheet.title, *row) for sheet in sheets for row in _numbered(sheet))
        while chunk := [*islice(numbered, _ROWS)]:
            batch = pa.record_batch([*zip(*chunk, strict=True)], schema)
            if (size := size + batch.nbytes) > limit * MB:
                message = Message("holds more than {limit} MB of text, the limit (max_document_mb).", limit=limit)
                raise InputError(message, label(path))
            yield batch


def _numbered(sheet: ReadOnlyWorksheet) -> Iterator[tuple[int, list[str]]]:
    for number, values in enumerate(islice(sheet.iter_rows(values_only=True), LAST_ROW), start=1):
        cells = [_text(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


def _has_sentences(sheet: ReadOnlyWorksheet) -> bool:
    for row in islice(sheet.iter_rows(values_only=True), 1, LOOKED_AT):
        cells = [_text(value) for value in row if value]
        if len(cells) > 1 and any(ends(cell) or len(cell.split()) > 2 for cell in cells):
            return True
    return False


def _text(value: object) -> str:
    """A cell as in CSV. Characters that XML cannot hold are escaped in the file, as `_x000D_`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), value) if isinstance(value, str) else str(value)
