"""Pairs whose texts differ in more than one place."""

from __future__ import annotations

from typing import Any

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli

_NOTHING = "nothing"


def _find(stimuli: Stimuli) -> Found | None:
    pairs = stimuli.edits
    if pairs.empty:
        return None
    numbers = pairs["edits"].map(len)
    rows = pairs[numbers > 1]
    counts = numbers[numbers > 1].value_counts().sort_index()
    by_number = ", ".join(f"{places} places: {count:,}" for places, count in counts.items())
    return found(rows, len(pairs), "pair", f"differ in several places: {by_number}", _what)


def _what(row: Any) -> str:
    changes = "; ".join(f"{old or _NOTHING} / {new or _NOTHING}" for old, new in row.edits)
    return f"{len(row.edits)} places: {changes}"


CHECK = Check(
    name="several_edits",
    title="More than one difference",
    severity="note",
    meaning="The preference may come from any of them; fine if the design moves words on purpose.",
    find=_find,
)
