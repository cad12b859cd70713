"""Which row of its file a row of a table was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

NUMBERING = "rows"
"""In `attrs` of a table: the number of its first row, and those between that and the last row that are no rows."""


def row_numbers(table: pd.DataFrame) -> Sequence[int]:
    """The number of each row in its file, as a spreadsheet counts: the column names are row 1, blank rows count.

    A row whose cells hold line ends is one row. Records of JSON lines have the number of their line; those of an
    array and the rows of a table that was not read from a file are numbered from 1.
    """
    first, gaps = table.attrs.get(NUMBERING, (1, ()))
    numbers, missing = range(first, first + len(table) + len(gaps)), frozenset(gaps)
    return [number for number in numbers if number not in missing] if missing else numbers
