"""Texts with characters of some kind."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from core.studies.lint._check import Found, found
from core.studies.lint._stimuli import Stimuli

_AROUND = 12


def containing(stimuli: Stimuli, pattern: re.Pattern[str], have: str) -> Found:
    """The texts in which the pattern is found; `have` follows `3 of 20 texts have`."""
    texts = stimuli.texts
    rows = texts[[bool(pattern.search(text)) for text in texts["text"]]]

    def what(row: Any) -> str:
        kinds = dict.fromkeys(name_of(match.group()) for match in pattern.finditer(row.text))
        match = pattern.search(row.text)
        start, end = match.span() if match else (0, 0)
        around = row.text[max(start - _AROUND, 0) : end + _AROUND]
        return f"{', '.join(kinds)} in '{around}'"

    return found(rows, len(texts), "text", f"have {have}", what)


def name_of(stretch: str) -> str:
    """The stretch itself, or the name of a character that cannot be seen."""
    if len(stretch) == 1 and (stretch.isspace() or not stretch.isprintable()):
        return unicodedata.name(stretch, f"character U+{ord(stretch):04X}").lower()
    return stretch if stretch.strip() else f"{len(stretch)} spaces"
