"""Where two texts differ, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import compress, count
from operator import ne

Edits = list[tuple[str, str]]
_MOST = 1_000_000
"""So many comparisons of two words: their number grows with the square of the texts."""


def edits(first: str, second: str) -> Edits:
    """The stretches of words (between white space) that differ, as they are in each text; one may be empty.

    Of texts with thousands of words, one stretch from the first word that differs to the last.

    >>> edits("She has left.", "She have left.")
    [('has', 'have')]
    """
    one, two = first.split(), second.split()
    start = _shared(one, two)
    one, two = one[start:], two[start:]
    end = _shared(one[::-1], two[::-1])
    one, two = one[: len(one) - end], two[: len(two) - end]
    if not one and not two:
        return []
    if len(one) * len(two) > _MOST or set(one).isdisjoint(two):
        return [(" ".join(one), " ".join(two))]
    codes = SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
    return [(" ".join(one[a:b]), " ".join(two[c:d])) for code, a, b, c, d in codes if code != "equal"]


def _shared(one: Sequence[str], two: Sequence[str]) -> int:
    """How many words both begin with."""
    return next(compress(count(), map(ne, one, two)), min(len(one), len(two)))
