"""Accents written as separate characters."""

from __future__ import annotations

import unicodedata
from typing import Any

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found:
    texts = stimuli.texts
    rows = texts[[not unicodedata.is_normalized("NFC", text) for text in texts["text"]]]
    return found(rows, len(texts), "text", "have accents as separate characters (not in the form NFC)", _what)


def _what(row: Any) -> str:
    words = [word for word in row.text.split() if not unicodedata.is_normalized("NFC", word)]
    return f"in {', '.join(dict.fromkeys(words))}"


CHECK = Check(
    name="normal_forms",
    title="Accents as separate characters",
    severity="warning",
    meaning="They look the same and are other tokens, which models have hardly seen.",
    find=_find,
)
