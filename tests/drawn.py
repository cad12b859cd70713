"""Parts of a chart's specification, as Altair makes it."""

from __future__ import annotations

from typing import Any

Spec = dict[str, Any]
HOSTILE = 'a"];alert(1);["'
"""A name that would be code if names were not text."""


def rows_of(spec: Spec, column: str) -> list[Spec]:
    """The rows of the first data set that has this column."""
    return next(rows for rows in spec["datasets"].values() if rows and column in rows[0])


def marks(spec: Spec, kind: str) -> list[Spec]:
    """The layers of this kind of mark."""
    return [layer for layer in spec["layer"] if layer["mark"]["type"] == kind]
