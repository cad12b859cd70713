"""Texts with nothing in them."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found:
    empty = [not one.text.strip() for item in stimuli.items for one in item.candidates]
    rows, predicate = stimuli.texts[empty], "are empty and cannot be scored"
    return found(rows, len(empty), "text", predicate, lambda row: f"candidate '{row.label}' has no text")


CHECK = Check(
    name="empty_texts",
    title="Empty texts",
    severity="error",
    meaning="A text without words gets no score, and its item is left out of every number.",
    find=_find,
)
