"""Pairs whose texts end with different punctuation marks."""

from __future__ import annotations

from typing import Any

from core.studies.lint._characters import end_marks
from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    pairs = stimuli.pairs
    if pairs.empty:
        return None
    marked = pairs.assign(mark=end_marks(pairs["right"]), other=end_marks(pairs["wrong"]))
    rows = marked[marked["mark"] != marked["other"]]
    return found(rows, len(pairs), "pair", "have texts that end with different punctuation marks", _what)


def _what(row: Any) -> str:
    return f"the right text ends with {row.mark or 'no mark'}, the wrong one with {row.other or 'no mark'}"


CHECK = Check(
    name="end_marks_differ",
    title="Different punctuation at the end",
    severity="warning",
    meaning="The final mark is scored too and may decide the pair by itself.",
    find=_find,
)
