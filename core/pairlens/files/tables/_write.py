"""Tables into files that appear complete or not at all; rows into a workbook whose other content stays."""

from __future__ import annotations

import io
import json
import math
import os
import re
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pairlens.errors import InputError
from pairlens.files.tables._source import LAST_ROW, label

if TYPE_CHECKING:
    import pandas as pd
    from openpyxl.worksheet.worksheet import Worksheet


_BATCH = 20_000
_XLSX_CHARACTERS = 32_767
_UNFIT = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""What a spreadsheet stores in escaped form only: characters that XML lacks, and what looks like an escape."""


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write a table in the format of its ending: .csv, .tsv, .json (records), .jsonl, .parquet or .xlsx, in UTF-8.

    The file appears complete under its name or not at all. CSV follows RFC 4180; TSV, .raw-pred and .pred have the
    same quoting, with tabs and LF. Missing values are empty cells, or null in JSON, as infinite ones are. In a
    spreadsheet no text becomes a formula. Raises InputError for another ending and for a path that cannot be written.
    """
    check_writable(path)
    write_whole(partial(_WRITERS[path.suffix.lower()], frame), path)


def write_workbook(sheets: Mapping[str, pd.DataFrame], path: Path) -> None:
    """Write tables as `write_table` would, as the sheets of one .xlsx file; names have at most 31 characters."""
    check_writable(path)
    write_whole(partial(_write_sheets, sheets), path)


def write_whole(write: Callable[[Path], object], path: Path) -> None:
    """Let `write` make a file and give it its name once it is complete; InputError if that fails."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with _refused(label(path)):
            write(temporary)
            temporary.replace(path)
    except UnicodeEncodeError:
        raise InputError("half a character (a lone surrogate) cannot be written as UTF-8.", label(path)) from None
    finally:
        with suppress(OSError):
            temporary.unlink()


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts by file name, in UTF-8, into a folder, which is made also for none; InputError if that fails."""
    with _refused(str(folder)):
        folder.mkdir(parents=True, exist_ok=True)
    write_files({folder / name: text for name, text in texts.items()})


def write_files(files: Mapping[Path, bytes | str]) -> None:
    """Write files by path, texts in UTF-8, each complete or not at all; makes folders. InputError if that fails."""
    for path, content in files.items():
        with _refused(str(path.parent)):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(partial(Path.write_bytes, data=content.encode() if isinstance(content, str) else content), path)


@contextmanager
def _refused(where: str) -> Iterator[None]:
    """InputError where the disk refuses what is done."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}.", where) from None


def check_folder(folder: Path) -> None:
    """Make a folder for files to be written into; InputError if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".{uuid.uuid4().hex}.tmp"
        probe.touch()
        probe.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"nothing can be written there ({reason}): choose another folder.", str(folder)) from None


def check_writable(path: Path, also: Sequence[str] = ()) -> None:
    """InputError for a folder, an unwritable path, and an ending that neither `write_table` nor `also` has."""
    if path.suffix.lower() not in {*_WRITERS, *also}:
        raise InputError(f"cannot write a file of this kind. Expected {', '.join((*_WRITERS, *also))}.", label(path))
    with _refused(label(path)):
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    if is_folder:
        raise InputError("cannot be written: it is a folder.", label(path))
    if not has_folder:
        raise InputError(f"cannot be written: there is no folder {path.parent}.", label(path))
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"cannot be written: {path.parent} does not allow it.", label(path))


def _delimited(frame: pd.DataFrame, path: Path, delimiter: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        target = file if delimiter == "," else _UnixLines(file)
        frame.to_csv(target, index=False, sep=delimiter, lineterminator="\r\n")


_tsv = partial(_delimited, delimiter="\t")


class _UnixLines(io.TextIOBase):
    """Ends rows with LF. The CSV writer quotes CR in a cell only if its own rows end with CR LF."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, row: str, /) -> int:
        return self._file.write(row.removesuffix("\r\n") + "\n")


def _json(frame: pd.DataFrame, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number, record in enumerate(_records(frame)):
            file.write((",\n" if number else "\n") + record)
        file.write("\n]\n")


def _jsonl(frame: pd.DataFrame, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(record + "\n" for record in _records(frame))


def _records(frame: pd.DataFrame) -> Iterator[str]:
    for start in range(0, len(frame), _BATCH):
        part = frame.iloc[start : start + _BATCH]
        for record in part.astype(object).where(part.notna(), None).to_dict("records"):
            for name, value in record.items():
                if isinstance(value, float) and not math.isfinite(value):
                    record[name] = None
            yield json.dumps(record, ensure_ascii=False, default=str)


def _write_sheets(sheets: Mapping[str, pd.DataFrame], path: Path) -> None:
    import openpyxl
    from openpyxl.cell import WriteOnlyCell

    rows = {name: _sheet_rows(frame, path) for name, frame in sheets.items()}
    book = openpyxl.Workbook(write_only=True)
    for name in sheets:
        sheet = book.create_sheet(name or None)
        for row in rows[name]:
            cells = [WriteOnlyCell(sheet, value) for value in row]
            for cell, value in zip(cells, row, strict=True):
                if isinstance(value, str):
                    cell.data_type = "s"
            sheet.append(cells)
    book.save(path)


def _sheet_rows(frame: pd.DataFrame, path: Path) -> list[list[Any]]:
    """The heading and the rows, checked before a file is begun; InputError if a sheet cannot hold them."""
    if len(frame) >= LAST_ROW:
        raise InputError(f"a spreadsheet holds {LAST_ROW - 1:,} rows, this table has {len(frame):,}.", label(path))
    values = frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)
    columns = [*frame.columns]
    return [
        [escaped(value, column, path) for value, column in zip(row, columns, strict=True)]
        for row in (columns, *values)
    ]


def escaped(value: object, column: object, path: Path) -> Any:
    if not isinstance(value, str):
        return value
    cell = _UNFIT.sub(lambda character: f"_x{ord(character[0]):04X}_", value)
    if len(cell) > _XLSX_CHARACTERS:
        raise InputError(f"column {column}: a cell here holds {_XLSX_CHARACTERS:,} characters", label(path))
    return cell


_WRITERS: dict[str, Callable[[pd.DataFrame, Path], None]] = {
    ".csv": partial(_delimited, delimiter=","),
    ".tsv": _tsv,
    ".raw-pred": _tsv,
    ".pred": _tsv,
    ".json": _json,
    ".jsonl": _jsonl,
    ".parquet": lambda frame, path: frame.to_parquet(path, index=False, compression="zstd"),
    ".xlsx": lambda frame, path: _write_sheets({"": frame}, path),
}


Row = Mapping[str, str | float | None]


def put_rows(rows: Mapping[str, Row | None], key: str, path: Path) -> None:
    """Put a row into each of these sheets of an .xlsx file, under the column names in the first row.

    It replaces the row with the same value in column `key`; otherwise it goes below the last row and takes over its
    formats. A missing file, sheet or column is made; None makes the sheet only. InputError for a file that is not a
    workbook and for a value that a cell cannot hold.
    """
    import openpyxl

    from pairlens.files.tables._binary import read_sheets

    check_writable(path)
    if path.exists():
        read_sheets(path)  # in a process of its own: it refuses what is damaged or unpacks to too much
        book = openpyxl.load_workbook(path)
    else:
        book = openpyxl.Workbook()
        book.remove(book.worksheets[0])
    for name, row in rows.items():
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        columns = _columns(sheet, [key, *(row or ())])
        if row:
            cells = {name: escaped(value, name, path) for name, value in row.items()}
            _put(sheet, columns, _place(sheet, columns[key], row[key]), cells)
    write_whole(book.save, path)


def _columns(sheet: Worksheet, names: list[str]) -> dict[str, int]:
    known = {str(cell.value): cell.column for cell in sheet[1] if cell.value is not None}
    for name in names:
        if name not in known:
            known[name] = max(known.values(), default=0) + 1
            sheet.cell(1, known[name], name)
    return known


def _place(sheet: Worksheet, column: int, key: object) -> int:
    below = 2
    for row in sheet.iter_rows(min_row=2):
        if any(cell.value is not None for cell in row):
            below = row[0].row + 1
        if sheet.cell(row[0].row, column).value == key:
            return int(row[0].row)
    return below


def _put(sheet: Worksheet, columns: Mapping[str, int], place: int, row: Mapping[str, Any]) -> None:
    new = all(cell.value is None for cell in sheet[place])
    for name, column in columns.items():
        cell = sheet.cell(place, column)
        if new and place > 2:
            cell._style = copy(sheet.cell(place - 1, column)._style)  # openpyxl's documented way to copy a format
        if name in row:
            cell.value = row[name]
            if isinstance(row[name], str):
                cell.data_type = "s"  # never a formula
