"""Program that prints the rows of an XLSX file: `python -m core.files.tables._sheet FILE LIMIT_MB SHEETS`.

A spreadsheet of a few kilobytes can make its parser take gigabytes and minutes, so it runs in a process that can be
stopped and whose memory is bounded. Each row of the first SHEETS sheets that is not blank is printed as a JSON array:
the name of its sheet, its number, then its cells.
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

from core.errors import InputError
from core.files.tables._source import LAST_ROW, MB
from core.messages import Message, packed

MEMORY_MB = 512

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def main(path: Path, limit_mb: int, sheets: int) -> int:
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
        for row in _rows(path, sheets):
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
    return 0


def fail(message: str) -> int:
    """Say why on standard error, for the process that started this one."""
    sys.stderr.write(json.dumps(packed(message)))
    return 1


def _rows(path: Path, sheets: int) -> Iterator[list[object]]:
    """The first sheets, without blank rows and without the empty cells at the ends of rows."""
    import openpyxl

    bound_memory()
    gc.disable()  # millions of cells in one row would be visited again and again; memory is bounded anyway
    warnings.simplefilter("ignore")
    for sheet in openpyxl.load_workbook(path, read_only=True, data_only=True).worksheets[:sheets]:
        sheet.reset_dimensions()  # the size that a file claims for its sheet can be far beyond its cells
        for number, values in enumerate(islice(sheet.iter_rows(values_only=True), LAST_ROW), start=1):
            cells = [_text(value) for value in values]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield [sheet.title, number, *cells]


def bound_memory() -> None:
    """Allow `MEMORY_MB` beyond what the interpreter has; nothing where the system has no such limit (Windows)."""
    try:
        import resource

        in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        return
    bound = in_use + MEMORY_MB * MB
    resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _text(value: object) -> str:
    """A cell as in CSV. Characters that XML cannot hold are escaped in the file, as `_x000D_`."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if isinstance(value, str) else str(value)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
