"""The tables and columns that a query sees, for building views and as help for users."""

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
    """A table: its name, the meaning of a row, and its columns in order."""

    name: str
    about: str
    columns: tuple[Column, ...]

    @property
    def empty(self) -> str:
        """A SELECT without rows, with these names and types."""
        nothing = ", ".join(f'null::{column.type} as "{column.name}"' for column in self.columns)
        return f"select {nothing} where false"

    def names(self, *, but: str = "") -> str:
        """The columns' names as a list in SQL, without one of them."""
        return ", ".join(f'"{column.name}"' for column in self.columns if column.name != but)


SCHEMA: Mapping[str, Table] = MappingProxyType(
    {
        name: Table(name, table["about"], tuple(Column(c, *rest) for c, rest in table["columns"].items()))
        for name, table in tomllib.loads(_FILE.read_text("utf-8")).items()
    }
)
"""Tables by name, in the order in which they are shown."""
