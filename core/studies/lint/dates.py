"""Cells that a spreadsheet turned into dates: `1-Mar`, `2025-03-01 00:00:00`."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli
from core.text.faults import is_date


def _find(stimuli: Stimuli) -> Found:
    predicate = "are a date or a time and nothing else"
    return found_in_texts(stimuli, is_date, predicate, lambda text: f"'{text.strip()}' where words are expected")


CHECK = Check(
    name="dates",
    title="Dates where words are expected",
    severity="error",
    meaning="Spreadsheets turn 1-3 or March 1 into a date: what was typed is lost, and the date is scored instead.",
    find=_find,
)
