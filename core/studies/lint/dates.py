"""Cells that a spreadsheet turned into dates: `1-Mar`, `2025-03-01 00:00:00`."""

from __future__ import annotations

import re

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_MONTH = (
    "jan|feb|fev|fév|mar|mär|apr|abr|avr|may|mai|jun|juin|jul|juil|aug|ago|août|sep|sept|set|oct|okt|out|nov|dec|dez"
)
"""As spreadsheets abbreviate them in English, German, French and Portuguese."""
_DATE = re.compile(
    rf"(?:\d{{1,4}}[-./ ](?:{_MONTH})\.?|(?:{_MONTH})\.?[-./ ]\d{{1,4}}|\d{{1,2}}[-./ ](?:{_MONTH})\.?[-./ ]\d{{2,4}}"
    r"|\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})",
    re.IGNORECASE,
)
"""Of whole texts: within a sentence a date is a date."""


def _find(stimuli: Stimuli) -> Found:
    predicate = "are a date and nothing else"
    return found_in_texts(stimuli, _is_date, predicate, lambda text: f"'{text.strip()}' where words are expected")


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text.strip()) is not None


CHECK = Check(
    name="dates",
    title="Dates where words are expected",
    severity="error",
    meaning="Spreadsheets turn 1-3 or March 1 into a date: what was typed is lost, and the date is scored instead.",
    find=_find,
)
