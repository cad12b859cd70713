"""Words in capitals."""

from __future__ import annotations

import re

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_WORD = re.compile(r"[^\W\d_]{2,}")


def _find(stimuli: Stimuli) -> Found:
    return found_in_texts(stimuli, _capitals, "have words in capitals", lambda text: ", ".join(_capitals(text)))


def _capitals(text: str) -> dict[str, None]:
    """The distinct words of two and more letters, all of them capitals."""
    few = text.islower() or (text.isascii() and text[1:].islower())  # at most the first letter: nearly all sentences
    return {} if few else dict.fromkeys(word for word in _WORD.findall(text) if word.isupper())


CHECK = Check(
    name="capitals",
    title="Words in capitals",
    severity="note",
    meaning="Abbreviations are fine; a word written in capitals for emphasis is split into other, rarer tokens.",
    find=_find,
)
