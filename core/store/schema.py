"""The tables that a query sees, column by column: what views are made from and what people read beside a query."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

_FILE = Path(__file__).with_name("schema.toml")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its type in DuckDB, and one line on what it means."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, what a row is, and its columns in order."""

    name: str
    about: str
    columns: tuple[Column, ...]

    @property
    def empty(self) -> str:
        """A SELECT that gives no rows, with these names and types."""
        nothing = ", ".join(f'null::{column.type} as "{column.name}"' for column in self.columns)
        return f"select {nothing} where false"

    def names(self, *, but: str = "") -> str:
        """The columns' names as a list in SQL, but for one of them."""
        return ", ".join(f'"{column.name}"' for column in self.columns if column.name != but)


def _read() -> Mapping[str, Table]:
    found = tomllib.loads(_FILE.read_text("utf-8"))
    return MappingProxyType(
        {
            name: Table(name, table["about"], tuple(Column(c, *rest) for c, rest in table["columns"].items()))
            for name, table in found.items()
        }
    )


SCHEMA: Mapping[str, Table] = _read()
"""By name, in the order in which people should meet them."""
