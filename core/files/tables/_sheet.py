"""Program that prints the rows of an XLSX file: `python -m core.files.tables._sheet FILE LIMIT_MB SHEETS NAME`.

A spreadsheet of a few kilobytes can make its parser take gigabytes and minutes, so it runs in a process that can be
stopped and whose memory is bounded. The first line is a JSON array: the names of the sheets that are not blank. Each
row of the first SHEETS of these that is not blank is another: the name of its sheet, its number, then its cells. For
fewer than two, the first is the one called NAME, else the first that has a table of sentences, if any.
"""

from __future__ import annotations

import gc
import json
import re
import sys
import warnings
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError, unknown
from core.files.apart import bound, end, fail
from core.files.tables._names import LOOKED_AT, ends
from core.files.tables._source import LAST_ROW, MB
from core.messages import Message

if TYPE_CHECKING:
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

MEMORY_MB = 512

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def main(path: Path, limit_mb: int, sheets: int, name: str) -> int:
    """Print the rows; a message (`core.messages.packed`) on standard error and status 1 if that is not possible."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(member.file_size for member in archive.infolist()) > limit_mb * MB:
                raise InputError(
                    Message(
                        "unpacks to more than {limit} MB, the limit for one spreadsheet. Save the table as CSV.",
                        limit=limit_mb,
                    )
                )
        printed = 0
        for row in _rows(path, sheets, name):
            line = json.dumps(row) + "\n"
            printed += len(line)
            if printed > limit_mb * MB:
                raise InputError(
                    Message(
                        "holds more than {limit} MB of text, the limit for one spreadsheet. Save the table as CSV.",
                        limit=limit_mb,
                    )
                )
            sys.stdout.write(line)
    except InputError as error:
        return fail(error.message)
    except MemoryError:
        return fail(
            Message("needs more than {limit:,} MB of memory to read. Save the table as CSV.", limit=MEMORY_MB)
        )
    except Exception:  # openpyxl has no error of its own for a damaged file: any type can come out of it
        return fail(Message("not a usable XLSX file. Save it again as an Excel workbook (.xlsx) or as CSV."))
    return end()


def _rows(path: Path, sheets: int, name: str) -> Iterator[list[object]]:
    """The names of the sheets with text; then the first of them, without blank rows and cells at ends of rows."""
    import openpyxl

    bound(MEMORY_MB)
    gc.disable()  # millions of cells in one row would be visited again and again; memory is bounded anyway
    warnings.simplefilter("ignore")
    found = openpyxl.load_workbook(path, read_only=True, data_only=True).worksheets
    for sheet in found:
        sheet.reset_dimensions()  # the size that a file claims for its sheet can be far beyond its cells
    found = [sheet for sheet in found if any(map(any, islice(sheet.iter_rows(values_only=True), LAST_ROW)))]
    if sheets < 2 and found:
        titles = [sheet.title for sheet in found]
        if name and name not in titles:
            raise InputError(unknown("sheet", name, titles))
        first = titles.index(name) if name else next((n for n, one in enumerate(found) if _has_sentences(one)), 0)
        found.insert(0, found.pop(first))
    yield [sheet.title for sheet in found]
    for sheet in found[:sheets]:
        for number, values in enumerate(islice(sheet.iter_rows(values_only=True), LAST_ROW), start=1):
            cells = [_text(value) for value in values]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield [sheet.title, number, *cells]


def _has_sentences(sheet: ReadOnlyWorksheet) -> bool:
    """Whether some row below the first has several cells, and a sentence among them."""
    for row in islice(sheet.iter_rows(values_only=True), 1, LOOKED_AT):
        cells = [_text(value) for value in row if value]
        if len(cells) > 1 and any(ends(one) or len(one.split()) > 2 for one in cells):
            return True
    return False


def _text(value: object) -> str:
    """A cell as in CSV. Characters that XML cannot hold are escaped in the file, as `_x000D_`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if isinstance(value, str) else str(value)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
