"""Checks on the texts that people give, before anything is scored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from core.errors import InputError
from core.settings import settings

_SHOWN = 40
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]"
)
"""Characters without width: soft hyphens, joiners, directions, byte-order marks, variation selectors."""


def none_empty(texts: Sequence[Any], place: str) -> list[str]:
    """The texts; InputError, with `place` and number, for one that is empty, too long or no string, and for none."""
    most = settings().max_text_characters
    if not texts:
        raise InputError("there is no text in it", place.removesuffix(", line").removesuffix(", row"))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str | None):
            raise InputError(f"found {str(text)[:_SHOWN]}, which is not a text", f"{place} {number}")
        if not text or not _INVISIBLE.sub("", text).strip():
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
