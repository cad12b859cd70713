"""Where the sentences of a minimal pair differ."""

from __future__ import annotations

from itertools import takewhile


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
    """How many words both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
