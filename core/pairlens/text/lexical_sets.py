"""Items that are made of the same words, as where one lexical set is put into several frames."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from pairlens.messages import Message

_LEAST, _MOST = 6, 5_000
"""Fewer items show nothing, and of more it is not asked."""
_COMPARED = 20
"""So many earlier sets are compared by a word, which keeps the time linear."""
_STEM = 4
"""Letters by which forms of a word are the same: `greet`, `greeted`."""
_WORD = re.compile(r"[^\W\d_]+")


def n_lexical_sets(items: Sequence[str]) -> int:
    """How many sets the items (all texts of each) are made of, if those that share most of their own words are one.

    An item's own words are in fewer than a quarter of the items; if it has none, in half of them at most, else all.
    """
    counts = Counter(word for item in items for word in _words(item))
    sets: list[set[str]] = []
    having: dict[str, list[int]] = defaultdict(list)
    for item in items:
        words = _words(item)
        rare = {word for word in words if 4 * counts[word] < len(items)}
        own = rare or {word for word in words if 2 * counts[word] <= len(items)} or words
        shared = Counter(place for word in own for place in having[word][:_COMPARED])
        if any(2 * n > max(len(own), len(sets[place])) for place, n in shared.items()):
            continue
        for word in own:
            having[word].append(len(sets))
        sets.append(own)
    return len(sets)


def shared_words(items: Sequence[str], units: str, advice: str) -> str:
    """A warning if the items, which are called `units`, are at least twice as many as their sets; else empty."""
    if not _LEAST <= len(items) <= _MOST or 2 * (n := n_lexical_sets(items)) > len(items):
        return ""
    return Message(
        "{n} {units} share their words, as if made of {sets} lexical sets or fewer: they are not independent, and "
        "intervals and tests are too sure. {advice}",
        n=len(items), units=units, sets=n, advice=advice,
    )  # fmt: skip


def _words(text: str) -> set[str]:
    return {word[:_STEM] for word in _WORD.findall(text.lower())}
