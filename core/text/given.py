"""Checks on the texts that people give, before anything is scored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core.errors import InputError
from core.settings import settings

_SHOWN = 40
_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that nobody sees: controls, soft hyphens, joiners, directions, byte-order marks, variation selectors,
tags, and letters and signs that are blank (Hangul fillers, Khmer's inherent vowels, the empty braille pattern).
"""


def visible(text: str) -> str:
    """A text without white space at its ends and without the characters that nobody sees."""
    return _INVISIBLE.sub("", text).strip()


def none_empty(texts: Sequence[Any], place: str) -> list[str]:
    """The texts; InputError, with `place` and number, for one that is empty, too long or no string, and for none."""
    most = settings().max_text_characters
    if not texts:
        raise InputError("there is no text in it", place.removesuffix(", line").removesuffix(", row"))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str | None):
            raise InputError(f"found {str(text)[:_SHOWN]}, which is not a text", f"{place} {number}")
        if not text or not visible(text):
            raise InputError(
                "the text is empty, there is nothing to score: fill it in or leave it out", f"{place} {number}"
            )
        if len(text) > most:
            raise InputError(
                f"a text of {len(text):,} characters is longer than the {most:,} that are scored at once "
                "(PAIRLENS_MAX_TEXT_CHARACTERS)",
                f"{place} {number}",
            )
    return list(texts)
