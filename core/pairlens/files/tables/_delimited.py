"""Delimited text with RFC 4180 quoting and, unless given, a guessed delimiter.

Whether tab-separated text quotes is guessed: few programs do it there, and sentences have marks.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.errors import InputError, unknown
from pairlens.files import row_mistakes
from pairlens.files.tables._rows import Row, in_row, table_of_rows
from pairlens.files.tables._source import AUTO, DOUBLE, MB, NONE, QUOTING, label, lines, shown
from pairlens.files.tables._texts import encoding_of, guess_of
from pairlens.settings import settings

Record = tuple[int, Sequence[str], "list[str] | csv.Error"]
"""The line at which a row of a file begins, its lines, and its cells or why there are none."""

_CELL = re.compile(r'(?:^|\t)(?:"((?:[^"]|"")*+)"(?=\t|\Z)|([^\t]*))')
_ENDS = frozenset("\t\r\n")


def is_quoted(records: Iterable[Record]) -> bool:
    """Whether tab-separated text quotes, by all of its rows as they are with quoting.

    A program that quotes encloses all cells of a column, or those that hold a tab, a line end, a mark (written twice)
    or a comma: no other cell has a mark or, in the last case, a comma. Where some row is not like that, only marks
    written twice, or a column that is enclosed as a whole, with its name, show that the file is quoted.
    """
    enclosed, bare, named, commas = set[int](), set[int](), set[int](), set[int]()
    broken = doubled = bare_comma = False
    width = 0
    for _, texts, cells in records:
        if isinstance(cells, csv.Error) or takes_in(cells, texts, "\t") or (any(cells) and len(cells) != width > 0):
            broken = True
            continue
        for place, match in enumerate(_CELL.finditer("".join(texts).rstrip("\r\n"))):
            inside, cell = match.groups()
            if inside is None:
                broken, bare_comma = broken or '"' in cell, bare_comma or "," in cell
                (bare if width else named).update([place] if cell not in ("", "NA") else ())
            elif '""' in inside:
                doubled = True
            elif width and inside and _ENDS.isdisjoint(inside):
                (commas if "," in inside else enclosed).add(place)
        width = width or len(cells)
    enclosed |= commas if bare_comma else set()
    return doubled or bool(enclosed - bare - named) if broken else not enclosed & bare


def takes_in(cells: Sequence[str], lines: Sequence[str], delimiter: str) -> bool:
    """Whether a quoted cell of a row has the delimiter and a line end: it may hold what are rows by themselves."""
    if len(lines) == 1 or not any(delimiter in cell and "\n" in cell for cell in cells):
        return False
    return delimiter == "\t" or all(line.count(delimiter) + 1 == len(cells) for line in lines)


_DELIMITERS = ",;\t|"
_NO_DELIMITERS = '"\r\n'
_SAMPLE_LINES, _SAMPLE_CHARACTERS = 50, 1_000_000
_STATED = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
"""A first line in which spreadsheets state the delimiter; it is not a row."""
_COMMENT = re.compile(r"#+\s")
_NUMBERED = re.compile(r"# \d+\. (.+?)\.?")
"""What PCIbex calls a column, in the comments above its results."""
_AS_TEXT = "If marks are text, read the table with --quoting none (on a page under Read as)"


def read_delimited(path: Path, delimiter: str, encoding: str, quoting: str) -> pd.DataFrame:
    """All columns `str`; `attrs` hold delimiter and encoding, lines that show a guess of it, a guessed quoting."""
    guess = guess_of(path, encoding)
    encoding = encoding_of(path, encoding)
    if delimiter and (len(delimiter) > 1 or delimiter in _NO_DELIMITERS):
        raise InputError(f"columns can be separated by one character only, not by {shown(delimiter)}.", label(path))
    quoting = quoting or settings().quoting
    if quoting not in QUOTING:
        raise InputError(unknown("quoting", quoting, QUOTING))
    csv.field_size_limit(settings().max_line_mb * MB)
    sample = _sample(path, encoding)
    stated = _STATED.fullmatch(sample[0]) if sample else None
    comments = [*takewhile(_COMMENT.match, sample)]
    delimiter = delimiter or (stated[1] if stated else _guess(sample[len(comments) :], quoting))
    records = partial(_records, path, encoding, delimiter, skipped=1 if stated else len(comments))
    known = {"delimiter": delimiter, "encoding": encoding} | ({"guessed": guess.lines} if guess else {})
    checked = quoting == AUTO
    if checked and delimiter == "\t" and any('\t"' in text or text[0] == '"' for _, text in lines(path, encoding)):
        known["quoting"] = quoting = DOUBLE if is_quoted(records(DOUBLE)) else NONE
    table = table_of_rows(_rows(records(quoting), path, delimiter, comments, checked=checked), path)
    table.attrs |= known
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


def _reader(texts: Iterable[str], delimiter: str, quoting: str) -> Any:
    return csv.reader(
        texts, delimiter=delimiter, quoting=csv.QUOTE_NONE if quoting == NONE else csv.QUOTE_MINIMAL, strict=True
    )


def _guess(sample: list[str], quoting: str) -> str:
    """The delimiter that splits the header into several columns, and most rows into the same number."""

    def fit(delimiter: str) -> tuple[float, int]:
        try:
            widths = [*map(len, _reader(sample, delimiter, quoting))]
        except csv.Error:
            widths = [text.count("\t") + 1 for text in sample if text.strip()] if delimiter == "\t" else []
        if not widths or widths[0] < 2:
            return 0.0, 0
        return sum(width in (0, widths[0]) for width in widths) / len(widths), widths[0]

    return max(_DELIMITERS, key=fit)


def _records(path: Path, encoding: str, delimiter: str, quoting: str, skipped: int) -> Iterator[Record]:
    """What stands in each row of a file after `skipped` lines; its lines are those until the next row is read."""
    of_row: list[str] = []

    def texts() -> Iterator[str]:
        for _, text in islice(lines(path, encoding), skipped, None):
            of_row.append(text)
            yield text

    reader = _reader(texts(), delimiter, quoting)
    while True:
        of_row.clear()
        start = reader.line_num + 1 + skipped
        try:
            cells = next(reader, None)
        except csv.Error as error:
            yield start, of_row, error
            continue
        if cells is None:
            return
        yield start, of_row, cells


def _rows(
    records: Iterator[Record], path: Path, delimiter: str, comments: list[str], *, checked: bool
) -> Iterator[Row]:
    """Rows with text, below the names that comments give their columns, as those of PCIbex do.

    `checked`: a quoted cell may not hold what may be rows. Comments are counted as rows, a stated delimiter is not.
    """
    names = [match[1] for comment in comments if (match := _NUMBERED.fullmatch(comment.strip()))]
    for number, (start, of_row, cells) in enumerate(records, start=1 + len(comments)):
        if isinstance(cells, csv.Error):
            row_mistakes.note(number, InputError(_explain(str(cells)), in_row(number, start, path)))
        elif checked and takes_in(cells, of_row, delimiter):
            problem = (
                f"a quotation mark takes these {len(of_row)} lines into one cell. {_AS_TEXT}; if that is right, with "
            )
            row_mistakes.note(number, InputError(f"{problem}--quoting double.", in_row(number, start, path)))
        elif _has_text(cells) and not (comments and _COMMENT.match(of_row[0])):
            if len(names) == len(cells):
                yield number - 1, start - 1, names
            names = []
            yield number, start, cells


def _has_text(cells: list[str]) -> bool:
    return any(cells) or len(cells) == 1 or len(cells) > settings().max_columns


def _explain(message: str) -> str:
    if "unexpected end of data" in message or "field larger" in message:
        return f"a quotation mark opens a cell that is never closed. {_AS_TEXT}."
    if "expected after" in message:
        problem = "text after a closing quotation mark. Inside a quoted cell, a quotation mark is written twice."
        return f"{problem} {_AS_TEXT}."
    if "new-line character" in message:
        return "a bare carriage return ends a line. Save the file with LF or CRLF line ends."
    return f"not a table row: {message}."
