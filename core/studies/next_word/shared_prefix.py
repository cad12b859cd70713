"""Two sentences that differ in one word, as their shared prefix and the two forms that compete after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.text.words import word_spans


class SharedPrefix(NamedTuple):
    """The beginning of both sentences, without the space after it, and the word in which they differ."""

    prefix: str
    forms: tuple[str, str]


def shared_prefixes(lines: Sequence[str]) -> list[SharedPrefix]:
    """The prefix of lines 1 and 2, 3 and 4, ...; empty unless each pair differs in exactly one word."""
    if len(lines) % 2:
        return []
    found = [_shared_prefix(*pair) for pair in zip(lines[::2], lines[1::2], strict=True)]
    return [one for one in found if one is not None] if None not in found else []


def _shared_prefix(first: str, second: str) -> SharedPrefix | None:
    spans = [word_spans(text, "separate") for text in (first, second)]
    words = [[text[slice(*span)] for span in own] for text, own in zip((first, second), spans, strict=True)]
    if len(words[0]) != len(words[1]):
        return None
    different = [place for place, (one, other) in enumerate(zip(*words, strict=True)) if one != other]
    if len(different) != 1:
        return None
    (place,) = different
    return SharedPrefix(first[: spans[0][place][0]].rstrip(), (words[0][place], words[1][place]))
