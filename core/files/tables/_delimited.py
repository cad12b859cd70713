"""Delimited text with RFC 4180 quoting and, unless given, a guessed delimiter."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files import row_mistakes
from core.files.tables._rows import Row, in_row, table_of_rows
from core.files.tables._source import MB, label, lines, shown
from core.files.tables._texts import encoding_of, guess_of
from core.settings import settings

if TYPE_CHECKING:
    import _csv

    import pandas as pd

_DELIMITERS = ",;\t|"
_NO_DELIMITERS = '"\r\n'
_SAMPLE_LINES, _SAMPLE_CHARACTERS = 50, 1_000_000
_STATED = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
"""A first line in which spreadsheets state the delimiter; it is not a row."""


def read_delimited(path: Path, delimiter: str, encoding: str, quoting: bool) -> pd.DataFrame:
    """All columns `str`; `attrs` hold the delimiter, the encoding, and lines that show a guess of it."""
    guess = guess_of(path, encoding)
    encoding = encoding_of(path, encoding)
    if delimiter and (len(delimiter) > 1 or delimiter in _NO_DELIMITERS):
        raise InputError(f"columns can be separated by one character only, not by {shown(delimiter)}.", label(path))
    csv.field_size_limit(settings().max_line_mb * MB)
    sample = _sample(path, encoding)
    stated = _STATED.fullmatch(sample[0]) if sample else None
    delimiter = delimiter or (stated[1] if stated else _guess(sample, quoting))
    table = table_of_rows(_rows(path, encoding, delimiter, quoting, skipped=1 if stated else 0), path)
    table.attrs |= {"delimiter": delimiter, "encoding": encoding} | ({"guessed": guess.lines} if guess else {})
    return table


def _sample(path: Path, encoding: str) -> list[str]:
    """The first lines; fewer where they are so long that to split them in every way would take seconds."""
    sample: list[str] = []
    size = 0
    for _, text in islice(lines(path, encoding), _SAMPLE_LINES):
        sample.append(text)
        size += len(text)
        if size > _SAMPLE_CHARACTERS:
            break
    return sample


def _reader(texts: Iterable[str], delimiter: str, quoting: bool) -> _csv.Reader:
    return csv.reader(
        texts, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE, strict=True
    )


def _guess(sample: list[str], quoting: bool) -> str:
    """The delimiter that splits the header into several columns, and most rows into the same number."""

    def fit(delimiter: str) -> tuple[float, int]:
        widths: list[int] = []
        try:
            widths.extend(map(len, _reader(sample, delimiter, quoting)))
        except csv.Error:
            return 0.0, 0
        if not widths or widths[0] < 2:
            return 0.0, 0
        return sum(width in (0, widths[0]) for width in widths) / len(widths), widths[0]

    return max(_DELIMITERS, key=fit)


def _rows(path: Path, encoding: str, delimiter: str, quoting: bool, skipped: int) -> Iterator[Row]:
    """Non-blank rows after `skipped` lines, which are not counted as rows."""
    reader = _reader((text for _, text in islice(lines(path, encoding), skipped, None)), delimiter, quoting)
    for number in count(1):
        start = reader.line_num + 1 + skipped
        try:
            cells = next(reader, None)
        except csv.Error as error:
            row_mistakes.note(number, InputError(_explain(str(error)), in_row(number, start, path)))
            continue
        if cells is None:
            return
        if cells:
            yield number, start, cells


def _explain(message: str) -> str:
    if "unexpected end of data" in message or "field larger" in message:
        return "a quotation mark opens a cell that is never closed."
    if "expected after" in message:
        return "text after a closing quotation mark. Inside a quoted cell, a quotation mark is written twice."
    if "new-line character" in message:
        return "a bare carriage return ends a line. Save the file with LF or CRLF line ends."
    return f"not a table row: {message}."
