"""Checks on the texts that people give, before anything is scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.errors import InputError

_SHOWN = 40


def none_empty(texts: Sequence[Any], place: str) -> list[str]:
    """The texts; InputError, with `place` and number, for one that is empty or not a string, and for none at all."""
    if not texts:
        raise InputError("there is no text in it", place.removesuffix(", line").removesuffix(", row"))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str | None):
            raise InputError(f"found {str(text)[:_SHOWN]}, which is not a text", f"{place} {number}")
        if not text or not text.strip():
            raise InputError(
                "the text is empty, there is nothing to score: fill it in or leave it out", f"{place} {number}"
            )
    return list(texts)
