"""Whether marks around cells of tab-separated text are quoting: few programs quote there; sentences have marks."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence

AUTO, NONE, DOUBLE = "auto", "none", "double"
QUOTING = (AUTO, NONE, DOUBLE)
"""Guessed; marks are text; a cell between double quotation marks is quoted as in RFC 4180."""

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
    for _, lines, cells in records:
        if isinstance(cells, csv.Error) or takes_in(cells, lines, "\t") or (any(cells) and len(cells) != width > 0):
            broken = True
            continue
        for place, match in enumerate(_CELL.finditer("".join(lines).rstrip("\r\n"))):
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
    """Whether a quoted cell of a row holds what may be rows by themselves.

    It has the delimiter and a line end; where not tabs part the columns, each line has as many cells as the row.
    """
    if len(lines) == 1 or not any(delimiter in cell and "\n" in cell for cell in cells):
        return False
    return delimiter == "\t" or all(line.count(delimiter) + 1 == len(cells) for line in lines)
