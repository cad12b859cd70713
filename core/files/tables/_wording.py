"""How a table was read, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "vertical bars", " ": "spaces"}
_ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 (byte-order mark)",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252, because it is not UTF-8 (if letters look wrong, it is another encoding),",
}


def read_as(table: pd.DataFrame) -> str:
    """What a file of delimited text was read as (`attrs` of `read_table`); empty for other tables."""
    if "delimiter" not in table.attrs:
        return ""
    delimiter = _DELIMITERS.get(table.attrs["delimiter"], table.attrs["delimiter"])
    encoding = _ENCODINGS.get(table.attrs["encoding"], table.attrs["encoding"])
    return f"Read as {encoding} with {delimiter} between columns."
