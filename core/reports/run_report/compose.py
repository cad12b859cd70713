"""What a report of runs says, in words: what was found, which runs can stand side by side."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

import pandas as pd
from markupsafe import Markup

from core.analysis.summary import headlines, summary_in_words, written
from core.errors import StoreError
from core.messages import Message
from core.reports.run_comparison import verdict
from core.reports.run_comparison.two_runs import against
from core.runs.result import Result, labels
from core.text.languages import Language

NONE = "–"


class Numerals(Language):
    """English with its numbers; with a decimal comma they are written as in French, thousands parted by a space."""

    def __init__(self, *, decimal_comma: bool = False) -> None:
        super().__init__(numbers="fr" if decimal_comma else "")
        self.decimal_comma = decimal_comma

    def value(self, value: float, scale: str, digits: int = 1) -> str:
        """A number of a metric (`core.analysis.summary.written`), a dash if there is none."""
        return NONE if math.isnan(value) else self(written(value, scale, digits))

    def between(self, low: float, high: float, scale: str, digits: int = 1) -> str:
        """The bounds of an interval, a dash if there is none."""
        if math.isnan(low) or math.isnan(high):
            return NONE
        return self(Message("{low} to {high}", low=written(low, scale, digits), high=written(high, scale, digits)))

    def count(self, number: float) -> str:
        """A whole number."""
        return self.number(int(number), ",")

    def real(self, number: float, form: str = ".2f") -> str:
        """Any number in a format of Python's, a dash if there is none."""
        return NONE if math.isnan(number) else self.number(number, form)


MOST_ROWS = 200
"""Rows of a table; what is beyond is counted in words."""
_MOST_CHARACTERS = 500
"""Of a cell; the rest is an ellipsis, so that long texts make no report that cannot be sent."""


@dataclass(frozen=True)
class Table:
    """At most `MOST_ROWS` rows; the columns in `right`, which hold numbers, are set flush right."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int]


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    n: int,
    numerals: Numerals,
    right: Iterable[int] = (),
) -> Table:
    """The first of `n` rows; if there are more the caption says so."""
    shown = [[_cut(cell) for cell in row] for row in islice(rows, MOST_ROWS)]
    if n > len(shown):
        caption += " " + numerals(Message("The first {shown:,} of {n:,} are shown.", shown=len(shown), n=n))
    return Table(caption, heads, shown, frozenset(right))


def _cut(cell: str) -> str:
    return cell if len(cell) <= _MOST_CHARACTERS else f"{cell[:_MOST_CHARACTERS]}…"


def printable(value: object) -> object:
    """Text as HTML can hold it, other characters as unknown ones. What is HTML already stays as it is."""
    if isinstance(value, Markup):
        return value
    return "".join(one if _fits(one) else "\ufffd" for one in str(value))


def _fits(character: str) -> bool:
    return character in "\t\n" or unicodedata.category(character) not in ("Cc", "Cs")


@dataclass(frozen=True)
class ComparedPair:
    """Two runs on the same items: the rows of their comparison, the verdict, what stands behind it."""

    rows: pd.DataFrame
    verdict: str
    grounds: str


def by_task(results: Sequence[Result]) -> list[list[Result]]:
    """Runs of the same task and rule together: their numbers share an axis."""
    found: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        found.setdefault((result.task.name, result.rule), []).append(result)
    return list(found.values())


def finding(result: Result, numerals: Numerals) -> str:
    """The headline in words."""
    return _sentence(result, result.metrics.iloc[0], numerals)


def further(result: Result, numerals: Numerals) -> list[str]:
    """The other metrics in words, and what is wrong with texts."""
    said = [_sentence(result, row, numerals) for _, row in headlines(result.metrics).iloc[1:].iterrows()]
    return [*said, *filter(None, [result.manifest.get("faults")])]


def _sentence(result: Result, row: pd.Series, numerals: Numerals) -> str:
    said = numerals(summary_in_words(row, result.task.clusters))
    return f"{said[:1].upper()}{said[1:]}."


def paired(results: Sequence[Result], numerals: Numerals) -> ComparedPair | str:
    """Two runs compared item by item, or why they cannot be; empty for another number of runs."""
    if len(results) != 2:
        return ""
    first, second = results
    name = first.metrics["name"].iloc[0]
    try:
        rows = against(first, second, name)
    except StoreError as reason:
        return str(reason)
    ours, theirs = labels(results)
    said = numerals(verdict.verdict(rows, (ours, theirs), name, first.task.clusters))
    return ComparedPair(rows, said, numerals(verdict.grounds(rows, name, first.task.clusters)))
