"""A check, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import pandas as pd

from core.messages import counted as plural
from core.studies.lint.stimuli import Stimuli

SEVERITIES = ("error", "warning", "note")
"""An error makes numbers wrong, a warning offers another explanation of them, a note is good to know."""
KEPT = 200
"""Findings kept per check; all are counted."""
COLUMNS = {"item": "str", "row": "Int64", "what": "str", "texts": "str"}
_IN_SINGULAR = {"are": "is", "have": "has", "were": "was"}
_TEXTS = ("text", "right", "wrong")


class Outcome(NamedTuple):
    """The findings of a check: `n` of `of` things, a sentence without its full stop, and where.

    `table` has the first `KEPT` findings (COLUMNS): `item` is empty and `row` missing where a finding concerns the
    set as a whole.
    """

    table: pd.DataFrame
    n: int
    of: int
    sentence: str

    @property
    def share(self) -> float:
        """`n` of `of`, 0 to 1."""
        return self.n / self.of if self.of else 0.0


Find = Callable[[Stimuli], Outcome | None]
"""What a check does; None where it does not apply."""
Describe = Callable[[str], str]
"""What is wrong with a text; empty if nothing is."""


@dataclass(frozen=True, slots=True)
class Check:
    """What a report says of a check; `meaning` says in one sentence what a finding means for the results."""

    name: str
    title: str
    severity: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Search(Check):
    """A check with the function that makes it."""

    find: Find

    @property
    def check(self) -> Check:
        """Without the function, which no other process can be handed."""
        return Check(self.name, self.title, self.severity, self.meaning)


def check(severity: str, title: str) -> Callable[[Find], Search]:
    """Make a check of a function: it has its name, and its docstring is the meaning."""
    return lambda find: Search(find.__name__, title, severity, str(find.__doc__), find)


def check_of_texts(severity: str, title: str, predicate: str) -> Callable[[Describe], Search]:
    """Make a check of a function that says what is wrong with a single text: see `about_texts`."""

    def decorated(describe: Describe) -> Search:
        find = partial(about_texts, describe=describe, predicate=predicate)
        return Search(describe.__name__, title, severity, str(describe.__doc__), find)

    return decorated


def about_texts(stimuli: Stimuli, describe: Describe, predicate: str) -> Outcome:
    """Findings about single texts: those that `describe` has something to say about."""
    descriptions = [describe(text) for text in stimuli.all_texts]
    rows = stimuli.texts.assign(said=descriptions)[[bool(description) for description in descriptions]]
    return about_items(rows, len(descriptions), "text", predicate, lambda row: row.said)


def about_items(rows: pd.DataFrame, of: int, noun: str, predicate: str, describe: Callable[[Any], str]) -> Outcome:
    """Findings about items: `rows` has `item`, `row` and the texts concerned, in columns text, right, wrong.

    The sentence is `counted(...)`. `describe` says what is wrong with a row (a named tuple) and is called only for
    the rows that are kept.
    """
    kept = rows.head(KEPT)
    texts = [name for name in _TEXTS if name in kept]
    shown = [" | ".join(each) for each in zip(*(kept[name] for name in texts), strict=True)] if texts else ""
    whats = [describe(row) for row in kept.itertuples(index=False)]
    table = kept[["item", "row"]].assign(what=whats, texts=shown)[[*COLUMNS]].astype(COLUMNS).reset_index(drop=True)
    return Outcome(table, len(rows), of, counted(len(rows), of, noun, predicate))


def about_all(whats: Sequence[str], of: int, sentence: str) -> Outcome:
    """Findings about the set as a whole, one sentence each."""
    table = pd.DataFrame({"item": "", "row": None, "what": list(whats[:KEPT]), "texts": ""}, columns=[*COLUMNS])
    return Outcome(table.astype(COLUMNS), len(whats), of, sentence)


def counted(n: int, of: int, noun: str, predicate: str) -> str:
    """How many of how many do something; the predicate begins with its verb in the plural.

    >>> counted(1, 2000, "pair", "are identical")
    '1 of 2,000 pairs is identical'
    """
    verb, _, rest = predicate.partition(" ")
    return f"{n:,} of {plural(of, noun)} {_IN_SINGULAR.get(verb, verb + 's') if n == 1 else verb} {rest}"


def per_cent(share: float) -> str:
    """`12.3 %`."""
    return f"{100 * share:.1f} %"
