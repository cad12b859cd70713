"""One more row in an existing workbook; everything else in it, cell formats and formulas included, stays."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files.tables._write import check_writable, escaped, write_whole

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

Row = Mapping[str, str | float | None]


def put_rows(rows: Mapping[str, Row | None], key: str, path: Path) -> None:
    """Put a row into each of these sheets of an .xlsx file, under the column names in the first row.

    It replaces the row with the same value in column `key`; otherwise it goes below the last row and takes over its
    formats. A missing file, sheet or column is made; None makes the sheet only. InputError for a file that is not a
    workbook and for a value that a cell cannot hold.
    """
    import openpyxl

    from core.files.tables._binary import read_sheets

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
    """The number of every named column, from 1; missing ones are added on the right."""
    known = {str(cell.value): cell.column for cell in sheet[1] if cell.value is not None}
    for name in names:
        if name not in known:
            known[name] = max(known.values(), default=0) + 1
            sheet.cell(1, known[name], name)
    return known


def _place(sheet: Worksheet, column: int, key: object) -> int:
    """The row with that key, else the first one below all rows with a value."""
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
