"""The result of a query: columns with their types, rows, and whether there were more."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT")
_REALS = ("FLOAT", "DOUBLE", "DECIMAL")
_LARGEST = 1 << 63


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a query. `columns` are names and DuckDB types; `truncated` if a limit cut the rows off.

    `seconds` is the time of the query in its process, without the process's start.
    """

    columns: tuple[tuple[str, str], ...]
    rows: Sequence[Sequence[Any]]
    truncated: bool
    seconds: float

    def frame(self) -> pd.DataFrame:
        """The rows as a table: integers stay integers if some are missing, lists and maps become JSON.

        Columns with the same name are numbered.
        """
        names = _distinct([name for name, _ in self.columns])
        columns = {
            name: _column([row[place] for row in self.rows], kind)
            for place, (name, (_, kind)) in enumerate(zip(names, self.columns, strict=True))
        }
        return pd.DataFrame(columns, index=pd.RangeIndex(len(self.rows)))


def _distinct(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        number, unique = 1, name
        while unique in found:
            number += 1
            unique = f"{name}_{number}"
        found.append(unique)
    return found


def _column(values: Sequence[Any], kind: str) -> pd.Series:
    if kind in _INTEGERS and all(value is None or abs(value) < _LARGEST for value in values):
        return pd.Series(values, dtype="Int64")
    if kind.startswith(_REALS) or kind in _INTEGERS:
        return pd.Series([None if value is None else float(value) for value in values], dtype="float64")
    if kind == "BOOLEAN":
        return pd.Series(values, dtype="boolean")
    texts = [value if isinstance(value, str | None) else json.dumps(value, ensure_ascii=False) for value in values]
    return pd.Series(texts, dtype="str")
