"""Tables and charts of a result, collected while they are drawn for the one Download menu below them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.components.shared.file import File

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd


@dataclass(frozen=True)
class Part:
    """A table, a chart or both; files are called by its `name`.

    `sheets` are those of its Excel workbook; `published` are files of the table where its authors fixed their form.
    """

    name: str
    table: Callable[[], pd.DataFrame] | None = None
    chart: alt.TopLevelMixin | None = None
    sheets: Mapping[str, pd.DataFrame] | None = None
    published: Sequence[File] = ()


_gathered: ContextVar[list[Part] | None] = ContextVar("gathered", default=None)


@contextmanager
def gathered_downloads() -> Iterator[list[Part]]:
    """Inside, `show_downloads` draws nothing: tables and charts are collected for the one menu below them."""
    parts: list[Part] = []
    token = _gathered.set(parts)
    try:
        yield parts
    finally:
        _gathered.reset(token)


def gathered(part: Part) -> bool:
    """Whether this part is kept for a menu; a chart that comes with its table replaces itself without one."""
    parts = _gathered.get()
    if parts is None:
        return False
    parts[:] = [one for one in parts if one.chart is None or one.chart is not part.chart]
    parts.append(part)
    return True
