"""Related sets of pairs: those that share a sentence are not independent."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Sequence

from core.files.nli.pairs import Pair

Texts = tuple[str, str]

_LARGEST = 0.1
"""The share of all pairs that a set may hold, so that ten sets at least remain."""
_ALWAYS = 100
"""So many pairs may be one set, and half of the pairs, also where there are fewer than ten times as many."""
_LEAST = 3


def normalised(sentence: str) -> str:
    """In small letters, without full stops, with single spaces."""
    return " ".join(sentence.lower().replace(".", " ").split())


def texts_of(pair: Pair) -> Texts:
    """Premise and hypothesis, normalised."""
    return normalised(pair.premise), normalised(pair.hypothesis)


def related(pairs: Sequence[Pair]) -> list[int]:
    """By pair, the number of its set: pairs that share a sentence (`normalised`), directly or through others.

    A few sentences that fit everywhere can join what has nothing to do with each other: "A man is playing a guitar."
    is in 63 pairs of SICK, a hypothesis such as "This text is about sport." in half of its data. Where a set is
    larger than `_LARGEST` and `_ALWAYS` allow, the commonest sentences, as many as it takes, join nothing.
    The order of the pairs does not matter, nor which sentence of a pair is its premise.
    """
    texts = [texts_of(pair) for pair in pairs]
    often = Counter(text for both in texts for text in both)
    most = max(_LARGEST * len(pairs), min(len(pairs) / 2, _ALWAYS), _LEAST)

    def joined_by(limit: int) -> list[int]:
        return _joined(texts, {text for text, n in often.items() if n <= limit})

    def too_large(limit: int) -> bool:
        return max(Counter(joined_by(limit)).values(), default=0) > most

    limits = sorted({0, *often.values()})  # the more sentences join pairs, the larger are the sets
    fitting = bisect_left(
        limits, True, lo=1, key=lambda limit: max(Counter(joined_by(limit)).values(), default=0) > most
    )
    tops = joined_by(limits[fitting - 1])
    numbers = {top: number for number, top in enumerate(dict.fromkeys(tops))}
    return [numbers[top] for top in tops]


def _joined(texts: Sequence[Texts], joining: Container[str]) -> list[int]:
    """By pair, one of the pairs that it is joined with through these sentences, the same for all of them."""
    above = list(range(len(texts)))

    def top(one: int) -> int:
        while above[one] != one:
            above[one] = one = above[above[one]]
        return one

    holders: dict[str, int] = {}
    for place, both in enumerate(texts):
        for text in both:
            if text in joining:
                above[top(place)] = top(holders.setdefault(text, place))
    return [top(place) for place in range(len(texts))]
