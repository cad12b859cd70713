"""Two sentences that differ in one word, as a prefix and the two forms that compete after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.text.words import word_spans


class Twins(NamedTuple):
    """What both sentences begin with, without the space after it, and the word in which each goes on."""

    prefix: str
    forms: tuple[str, str]


def twins(lines: Sequence[str]) -> list[Twins]:
    """Lines 1 and 2, 3 and 4, ... as twins; empty unless each pair differs in just one word."""
    if len(lines) % 2:
        return []
    found = [_twins(*pair) for pair in zip(lines[::2], lines[1::2], strict=True)]
    told = [one for one in found if one is not None]
    return told if len(told) == len(found) else []


def _twins(first: str, second: str) -> Twins | None:
    spans = [word_spans(text, "separate") for text in (first, second)]
    words = [[text[slice(*span)] for span in own] for text, own in zip((first, second), spans, strict=True)]
    if len(words[0]) != len(words[1]):
        return None
    different = [place for place, (one, other) in enumerate(zip(*words, strict=True)) if one != other]
    if len(different) != 1:
        return None
    (place,) = different
    return Twins(first[: spans[0][place][0]].rstrip(), (words[0][place], words[1][place]))
