"""Minimal pairs: an item of two texts, and where they differ."""

from collections.abc import Mapping
from itertools import takewhile

from core.types import Candidate, Item


def pair(
    identifier: str, good: str, bad: str, groups: Mapping[str, str], labels: tuple[str, str] = ("good", "bad")
) -> Item:
    """An item of two texts, the first of which is right; their `contrast` is its last group or has its place."""
    groups = {**groups, "contrast": contrast(good, bad)}
    return Item(identifier, (Candidate(good, labels[0]), Candidate(bad, labels[1])), labels[0], groups)


def contrast(good: str, bad: str) -> str:
    """The critical contrast: the lower-cased words between common beginning and common end, as `has|have`.

    Items with the same contrast are not independent observations; intervals are clustered by it.
    """
    first, second = good.lower().split(), bad.lower().split()
    start = _shared(first, second)
    first, second = first[start:], second[start:]
    end = _shared(first[::-1], second[::-1])
    return "|".join(" ".join(words[: len(words) - end]) for words in (first, second))


def _shared(first: list[str], second: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
