"""The only reader and writer of user files: CSV, TSV, JSON, JSON lines, XLSX, XML, Parquet; text also as .gz, .xz.

User files are not trusted: `core.settings` bounds their sizes, and whatever is wrong with one raises a single
InputError with the file and the line, what was found and what was expected.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.tables._json import kind, read_json, read_records, read_tabular_json
from core.files.tables._source import PACKED, encoding_of, ending, existing, files, first_line, label, read_lines
from core.files.tables._workbook import put_rows
from core.files.tables._write import (
    check_folder,
    check_writable,
    write_files,
    write_table,
    write_texts,
    write_workbook,
)
from core.files.tables._xml import read_xml
from core.messages import Message

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "PACKED", "check_folder", "check_writable", "encoding_of", "ending", "existing", "files", "first_line", "kind",
    "put_rows", "read_as", "read_json", "read_lines", "read_records", "read_table", "read_workbook", "read_xml",
    "write_files", "write_table", "write_texts", "write_workbook",
]  # fmt: skip

_DELIMITED = {".csv": "", ".txt": "", ".tsv": "\t", ".tab": "\t", ".raw-pred": "\t", ".pred": "\t"}
"""Endings of delimited text, and the delimiter; empty if it is guessed. The last two are those of agreement sets."""
_JSON = (".jsonl", ".ndjson", ".json")
_BINARY = (".xlsx", ".parquet")
_DELIMITER_NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "vertical bars", " ": "spaces"}
_ENCODING_NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 (byte-order mark)",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252, because it is not UTF-8 (if letters look wrong, it is another encoding),",
}


def read_table(
    source: Path, *, delimiter: str = "", encoding: str = "", quoting: bool = True, trusted: bool = False
) -> pd.DataFrame:
    """A table from a .csv, .tsv, .tab, .txt, .jsonl, .ndjson, .json, .xlsx or .parquet file; text also as .gz, .xz.

    Columns of delimited text and of spreadsheets are `str`, empty cells empty strings; JSON and Parquet keep their
    types. `delimiter` and `encoding` are guessed if empty; `attrs["delimiter"]` and `attrs["encoding"]` hold those
    that were used. With `quoting=False` a quotation mark is a character like any other. Parquet is opened only if
    `trusted`: a damaged Parquet file can crash the process that reads it.
    """
    kind = ending(existing(source))
    packed = source.suffix.lower() in PACKED
    if kind in _DELIMITED:
        from core.files.tables._delimited import read_delimited

        return read_delimited(source, delimiter or _DELIMITED[kind], encoding, quoting)
    if kind in _JSON:
        return read_tabular_json(source)
    if kind in _BINARY and not packed:
        from core.files.tables._binary import read_parquet, read_xlsx

        return read_xlsx(source) if kind == ".xlsx" else read_parquet(source, trusted)
    known = ", ".join((*_DELIMITED, *_JSON, ".xlsx"))
    raise InputError(
        Message("cannot read a file of this kind. Expected {known}; text also as .gz or .xz.", known=known),
        label(source),
    )


def read_as(table: pd.DataFrame) -> str:
    """How delimited text was read (`attrs` of `read_table`), as a sentence; empty for other tables."""
    if "delimiter" not in table.attrs:
        return ""
    delimiter, encoding = table.attrs["delimiter"], table.attrs["encoding"]
    columns = _DELIMITER_NAMES.get(delimiter, delimiter)
    return f"Read as {_ENCODING_NAMES.get(encoding, encoding)} with {columns} between columns."


def read_workbook(source: Path) -> dict[str, pd.DataFrame]:
    """The sheets of an .xlsx file by name, without empty ones; every column `str`, empty cells empty strings."""
    from core.files.tables._binary import read_sheets

    return read_sheets(existing(source))
