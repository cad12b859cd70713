"""Accents written as separate characters."""

from __future__ import annotations

import unicodedata

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found:
    predicate = "have accents as separate characters (not in the form NFC)"
    return found_in_texts(stimuli, _is_decomposed, predicate, _what)


def _is_decomposed(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)


def _what(text: str) -> str:
    return f"in {', '.join(dict.fromkeys(filter(_is_decomposed, text.split())))}"


CHECK = Check(
    name="normal_forms",
    title="Accents as separate characters",
    severity="warning",
    meaning="They look the same but are different tokens, which models have hardly seen.",
    find=_find,
)
