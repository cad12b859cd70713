"""Pairs of a corpus that another set holds too: whoever was trained on the other has seen them.

ASSIN 2 was built from SICK-BR: its training and development pairs are all in there, and 60 % of its test pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.files.nli.items import texts_of
from core.files.nli.pairs import Corpus, Pair


@dataclass(frozen=True, slots=True)
class Overlap:
    """Which of `n` pairs are in `other`: `same` in the same order, `turned` with the sentences swapped only."""

    other: str
    n: int
    same: frozenset[str]
    turned: frozenset[str]

    @property
    def ids(self) -> frozenset[str]:
        """Those found in either order."""
        return self.same | self.turned


def overlap(corpus: Corpus, other: Iterable[Pair], name: str) -> Overlap:
    """The ids of the pairs of `corpus` that `other`, which is called `name`, holds in either order."""
    known = {texts_of(pair) for pair in other}
    found = {pair.id: texts_of(pair) for pair in corpus}
    same = frozenset(identifier for identifier, texts in found.items() if texts in known)
    turned = frozenset(identifier for identifier, texts in found.items() if texts[::-1] in known)
    return Overlap(name, len(corpus), same, turned - same)


def joined(overlaps: Sequence[Overlap]) -> frozenset[str]:
    """The ids found in any of several sets."""
    return frozenset().union(*(found.ids for found in overlaps))
