"""A check, and what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from core.messages import counted as plural
from core.studies.lint._stimuli import Stimuli

SEVERITIES = ("error", "warning", "note")
"""An error makes numbers wrong, a warning offers another explanation of them, a note is good to know."""
KEPT = 200
"""Findings kept per check; all are counted."""
COLUMNS = {"item": "str", "row": "Int64", "what": "str", "texts": "str"}
_IN_SINGULAR = {"are": "is", "have": "has", "were": "was"}
_TEXTS = ("text", "right", "wrong")


class Found(NamedTuple):
    """What a check found: `n` of `of` things, a sentence without its full stop, and where.

    `table` has the first `KEPT` findings (COLUMNS): `item` is empty and `row` missing where a finding concerns the
    set as a whole.
    """

    table: pd.DataFrame
    n: int
    of: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Check:
    """What a file in `core/studies/lint` exposes as CHECK.

    `meaning` says in one sentence what a finding means for the results. `find` returns None where the check does not
    apply.
    """

    name: str
    title: str
    severity: str
    meaning: str
    find: Callable[[Stimuli], Found | None]


def found(rows: pd.DataFrame, of: int, noun: str, predicate: str, what: Callable[[Any], str]) -> Found:
    """Findings about items: `rows` has `item`, `row` and the texts concerned, in columns text, right, wrong.

    The sentence is `counted(...)`. `what` describes the problem of a row (a named tuple) and is called only for the
    rows that are kept.
    """
    kept = rows.head(KEPT)
    texts = [name for name in _TEXTS if name in kept]
    shown = [" | ".join(one) for one in zip(*(kept[name] for name in texts), strict=True)] if texts else ""
    table = kept[["item", "row"]].assign(what=[what(row) for row in kept.itertuples(index=False)], texts=shown)
    table = table[[*COLUMNS]].astype(COLUMNS).reset_index(drop=True)
    return Found(table, len(rows), of, counted(len(rows), of, noun, predicate))


def found_in_texts(
    stimuli: Stimuli, has_problem: Callable[[str], object], predicate: str, what: Callable[[str], str]
) -> Found:
    """Findings about single texts: those for which `has_problem` returns something true, described by `what`."""
    texts = stimuli.texts
    rows = texts[[bool(has_problem(text)) for text in stimuli.given]]
    return found(rows, len(texts), "text", predicate, lambda row: what(row.text))


def about_all(whats: Sequence[str], of: int, sentence: str) -> Found:
    """Findings about the set as a whole, one sentence each."""
    table = pd.DataFrame({"item": "", "row": None, "what": list(whats[:KEPT]), "texts": ""}, columns=[*COLUMNS])
    return Found(table.astype(COLUMNS), len(whats), of, sentence)


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
