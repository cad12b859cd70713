"""What printed pages share: numbers, tables, drawings, look, and how their texts become HTML."""

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pairlens.charts.drawing import svg
from pairlens.messages import Message
from pairlens.results.text import NONE
from pairlens.text.languages import Language

MOST_ROWS = 200
"""Rows of a table; what is beyond is counted in words."""
_MOST_CHARACTERS = 500
"""Of a cell; the rest is an ellipsis, so that long texts make no report that cannot be sent."""
_HERE = Path(__file__).parent


class Numerals(Language):
    """English with its numbers; with a decimal comma they are written as in French, thousands parted by a space."""

    def __init__(self, *, decimal_comma: bool = False) -> None:
        super().__init__(numbers="fr" if decimal_comma else "")
        self.decimal_comma = decimal_comma

    def real(self, number: float, form: str = ".2f") -> str:
        """Any number in a format of Python's, a dash if there is none."""
        return NONE if math.isnan(number) else self.number(number, form)


@dataclass(frozen=True)
class Table:
    """At most `MOST_ROWS` rows; the columns in `right`, which hold numbers, are set flush right."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int]


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing of ours with its finding, which is its alternative text too."""

    drawing: Markup
    finding: str


def figure(chart: object, finding: str, numerals: Numerals) -> Figure:
    return Figure(Markup(svg(chart, inherited=True, decimal_comma=numerals.decimal_comma)), finding)


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    n: int,
    numerals: Numerals,
    right: Iterable[int] = (),
    most: int = 0,
) -> Table:
    """The first `most` of `n` rows (0: `MOST_ROWS`); if there are more the caption says so."""
    shown = [[_cut(cell) for cell in row] for row in islice(rows, most or MOST_ROWS)]
    if n > len(shown):
        caption += " " + numerals(Message("The first {shown:,} of {n:,} are shown.", shown=len(shown), n=n))
    return Table(caption, heads, shown, frozenset(right))


@cache
def environment(folder: Path = _HERE) -> Environment:
    """The templates of a folder and parts.html; whatever is put into them is escaped."""
    return Environment(
        loader=FileSystemLoader([folder, _HERE]), autoescape=True, finalize=printable, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip


@cache
def style() -> Markup:
    return Markup((_HERE / "style.css").read_text("utf-8"))


def _cut(cell: str) -> str:
    return cell if len(cell) <= _MOST_CHARACTERS else f"{cell[:_MOST_CHARACTERS]}…"


def printable(value: object) -> object:
    """Text as HTML can hold it, other characters as unknown ones. What is HTML already stays as it is."""
    if isinstance(value, Markup):
        return value
    return "".join(one if _fits(one) else "\ufffd" for one in str(value))


def _fits(character: str) -> bool:
    return character in "\t\n" or unicodedata.category(character) not in ("Cc", "Cs")
