"""Words in capitals."""

from __future__ import annotations

import re
from typing import Any

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli

_WORD = re.compile(r"[^\W\d_]{2,}")


def _find(stimuli: Stimuli) -> Found:
    texts = stimuli.texts
    rows = texts[[not text.islower() and bool(_capitals(text)) for text in texts["text"]]]
    return found(rows, len(texts), "text", "have words in capitals", _what)


def _capitals(text: str) -> list[str]:
    """The words of two and more letters, all of them capitals."""
    return [word for word in _WORD.findall(text) if word.isupper()]


def _what(row: Any) -> str:
    return ", ".join(dict.fromkeys(_capitals(row.text)))


CHECK = Check(
    name="capitals",
    title="Words in capitals",
    severity="note",
    meaning="Abbreviations are fine; a word written in capitals for emphasis is cut into other, rarer tokens.",
    find=_find,
)
