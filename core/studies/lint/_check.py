"""A check, and what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from core.studies.lint._stimuli import Stimuli

SEVERITIES = ("error", "warning", "note")
"""An error makes numbers wrong, a warning may explain them by something else, a note is good to know."""
KEPT = 200
"""So many findings of a check are kept; all are counted."""
COLUMNS = {"item": "str", "row": "Int64", "what": "str", "texts": "str"}
_IN_SINGULAR = {"are": "is", "have": "has", "were": "was"}
_TEXTS = ("text", "right", "wrong")


class Found(NamedTuple):
    """What a check found: `n` of `of` things, said in a sentence without its full stop, and where.

    `table` has the first `KEPT` findings (COLUMNS): `item` is empty and `row` missing where a finding is about the
    whole set.
    """

    table: pd.DataFrame
    n: int
    of: int
    said: str


@dataclass(frozen=True, slots=True)
class Check:
    """What a file in `core/studies/lint` exposes as CHECK.

    `meaning` says in one sentence what a finding means for the result. `find` returns None where the check does not
    apply to these stimuli.
    """

    name: str
    title: str
    severity: str
    meaning: str
    find: Callable[[Stimuli], Found | None]


def found(rows: pd.DataFrame, of: int, noun: str, predicate: str, what: Callable[[Any], str]) -> Found:
    """Findings about items: `rows` has `item`, `row` and the texts that are meant, in columns text, right, wrong.

    The sentence is `counted(...)`. `what` says what is wrong with a row (a named tuple); it is asked about those that
    are kept only.
    """
    kept = rows.head(KEPT)
    texts = [name for name in _TEXTS if name in kept]
    shown = [" | ".join(one) for one in zip(*(kept[name] for name in texts), strict=True)] if texts else ""
    table = kept[["item", "row"]].assign(what=[what(row) for row in kept.itertuples(index=False)], texts=shown)
    table = table[[*COLUMNS]].astype(COLUMNS).reset_index(drop=True)
    return Found(table, len(rows), of, counted(len(rows), of, noun, predicate))


def about_all(whats: Sequence[str], of: int, said: str) -> Found:
    """Findings about the whole set, one sentence each."""
    table = pd.DataFrame({"item": "", "row": None, "what": list(whats[:KEPT]), "texts": ""}, columns=[*COLUMNS])
    return Found(table.astype(COLUMNS), len(whats), of, said)


def counted(n: int, of: int, noun: str, predicate: str) -> str:
    """How many of how many do something; the verb that the predicate begins with is given in the plural.

    >>> counted(1, 2000, "pair", "are identical")
    '1 of 2,000 pairs is identical'
    """
    verb, _, rest = predicate.partition(" ")
    return f"{n:,} of {plural(of, noun)} {_IN_SINGULAR.get(verb, verb + 's') if n == 1 else verb} {rest}"


def plural(n: int, noun: str) -> str:
    """`1 pair`, `2 pairs`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def per_cent(share: float) -> str:
    """`12.3 %`."""
    return f"{100 * share:.1f} %"
