"""The only reader and writer of user files: CSV, TSV, JSON, JSON lines, XLSX, XML, Parquet; text also as .gz, .xz.

User files are not trusted: `pairlens.settings` bounds their sizes, and whatever is wrong with one raises a single
InputError with the file and the line, what was found and what was expected.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from pairlens.errors import InputError
from pairlens.files.tables._documents import kind, read_json, read_records, read_tabular_json, read_xml
from pairlens.files.tables._encodings import NAMES as ENCODINGS
from pairlens.files.tables._source import (
    DOUBLE,
    NONE,
    PACKED,
    QUOTING,
    READ_APART,
    Layout,
    ending,
    existing,
    explained,
    files,
    label,
    large,
    place_of,
    row_numbers,
    unpacked_size,
)
from pairlens.files.tables._texts import WHERE, encoding_of, first_line, known, read_lines, said_of, state
from pairlens.files.tables._write import (
    check_folder,
    check_writable,
    put_rows,
    write_files,
    write_table,
    write_texts,
    write_workbook,
)
from pairlens.messages import Message
from pairlens.settings import settings

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "ENCODINGS", "PACKED", "PLAIN", "QUOTING", "READ_APART", "Layout", "check_folder", "check_writable",
    "encoding_of", "ending", "existing", "explained", "files", "first_line", "guesses", "kind", "known", "label",
    "large", "put_rows", "read_as", "read_json", "read_laid_out", "read_lines", "read_records", "read_table",
    "read_workbook", "read_xml", "row_numbers", "sheet_names", "unpacked_size", "write_files", "write_table",
    "write_texts", "write_workbook",
]  # fmt: skip

PLAIN = ("", ".txt", ".text", ".lst")
"""Endings of plain text: one text per line, or a table."""
_TABBED = (".tsv", ".tab", ".raw-pred", ".pred")
_DELIMITED = {**dict.fromkeys((".csv", ".dat", *PLAIN), ""), **dict.fromkeys(_TABBED, "\t")}
"""Endings of delimited text, and the delimiter; empty if it is guessed. The last two are those of agreement sets."""
_JSON = (".jsonl", ".ndjson", ".json")
_DELIMITER_NAMES = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "vertical bars", " ": "spaces"}
_MARKS = {
    NONE: Message("Quotation marks around cells are part of the text (quoting none)."),
    DOUBLE: Message("Quotation marks around cells are not part of the text (quoting double)."),
}
_ENCODING_NAMES = {"utf-8": "UTF-8", "utf-8-sig": "UTF-8 (byte-order mark)", "utf-16": "UTF-16", **ENCODINGS}


def read_table(
    source: Path, *, delimiter: str = "", encoding: str = "", quoting: str = "", sheet: str = ""
) -> pd.DataFrame:
    """A table from a .csv, .tsv, .tab, .txt, .jsonl, .ndjson, .json, .xlsx or .parquet file; text also as .gz, .xz.

    Columns of delimited text and of spreadsheets are `str`, empty cells empty strings; JSON and Parquet keep their
    types. `delimiter` and `encoding` are guessed if empty; `attrs["delimiter"]` and `attrs["encoding"]` hold those
    that were used. Columns without names are numbered; two of sentences are `good` and `bad`. `quoting` is one of
    `QUOTING`, `sheet` the name of a workbook's sheet; what is empty is as in the settings.
    """
    kind = ending(existing(source))
    packed = source.suffix.lower() in PACKED
    if kind in _DELIMITED:
        from pairlens.files.tables._delimited import read_delimited

        return read_delimited(source, delimiter or _DELIMITED[kind], encoding, quoting)
    if kind in _JSON:
        return read_tabular_json(source)
    if kind in READ_APART and not packed:
        from pairlens.files.tables._binary import read_parquet, read_xlsx

        return read_xlsx(source, sheet) if kind == ".xlsx" else read_parquet(source)
    if kind == ".xls":
        raise InputError(Message("an Excel file of the old kind. Save it as .xlsx or CSV."), label(source))
    endings = ", ".join(filter(None, (*_DELIMITED, *_JSON, *READ_APART)))
    raise InputError(
        Message("cannot read a file of this kind. Expected {known}; text also as .gz or .xz.", known=endings),
        label(source),
    )


def read_laid_out(source: Path, layout: Layout) -> pd.DataFrame:
    return read_table(source, **asdict(layout))


def read_as(table: pd.DataFrame) -> str:
    """How a table was read (`attrs` of `read_table`), as sentences; empty where nothing was guessed."""
    if "delimiter" not in table.attrs:
        return " ".join(_noticed(table))
    delimiter, encoding = table.attrs["delimiter"], table.attrs["encoding"]
    columns = _DELIMITER_NAMES.get(delimiter, delimiter)
    reading = f"Read as {_ENCODING_NAMES.get(encoding, encoding)} with {columns} between columns."
    reading = " ".join((reading, *_noticed(table)))
    if lines := table.attrs.get("guessed"):
        reading += " It is not UTF-8: the encoding is a guess. If letters look wrong here, name another "
        reading += f"({WHERE}): {' · '.join(lines)}"
    return reading


def guesses(path: Path, table: pd.DataFrame | None = None) -> list[str]:
    """Sentences on what was guessed of a file, or of those in a folder, and of the `table` that was read from it."""
    tables = [file for file in (sorted(path.iterdir()) if path.is_dir() else [path]) if file.is_file()]
    notes = [said_of(file) for file in tables if ending(file) in _DELIMITED]
    if table is not None:
        notes += _noticed(table)
    else:
        notes += [_read_from(place_of(file, sheet_names(file))) for file in tables if ending(file) == ".xlsx"]
    return [note for note in notes if note]


def sheet_names(file: Path) -> list[str]:
    from pairlens.files.tables._binary import sheets_of

    return sheets_of(file, settings().sheet, *state(file))


def _noticed(table: pd.DataFrame) -> list[str]:
    """Sentences on the sheet, on quotation marks at the start of cells, and on names that columns were given."""
    names = ", ".join(map(str, table.columns)) if table.attrs.get("unnamed") else ""
    notes = [_read_from(table.attrs.get("place", "")), _MARKS.get(table.attrs.get("quoting", ""), "")]
    if names:
        notes.append(
            Message("Its first line is no line of column names, so the columns are called {names}.", names=names)
        )
    return [note for note in notes if note]


def _read_from(place: str) -> str:
    return place and Message("Read from {place}.", place=place)


def read_workbook(source: Path) -> dict[str, pd.DataFrame]:
    """The sheets of an .xlsx file by name, without empty ones; every column `str`, empty cells empty strings."""
    from pairlens.files.tables._binary import read_sheets

    return read_sheets(existing(source))
