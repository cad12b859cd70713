"""What `data lint` calls an error in the texts of a run: how many of them have it, and where.

The items are looked at once, while they are read. That a text is empty or a region is not in it, scoring says itself.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from core.messages import counted
from core.text.faults import faults_in
from core.types import Item

_PLACES = 8
_SAME, _CONTRADICTING = "the same text twice in an item", "the texts of another item with right and wrong exchanged"
Place = tuple[str, int | None]
"""An item, and the row of its file, if known."""


@dataclass(slots=True)
class Faults:
    """Items that are given to `add` one by one in the order of their files."""

    _places: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))
    _rights: dict[int, tuple[int, Place] | None] = field(default_factory=dict)
    _n: int = 0
    _last: int = 0
    _several_files: bool = False

    def add(self, item: Item, row: int | None) -> None:
        """Look at one item: at each of its texts, whether two are the same, and whether an earlier item had them."""
        self._several_files |= (row or 0) < self._last
        self._last, place = row or 0, (item.id, row)
        texts = [one.context + one.text for one in item.candidates]
        self._n += len(texts)
        for text in texts:
            for said in faults_in(text):
                self._places[said].append(place)
        if len(set(texts)) < len(texts):
            self._places[_SAME].append(place)
        elif item.gold is not None:
            rights = [text for text, one in zip(texts, item.candidates, strict=True) if one.label == item.gold]
            self._compare(hash(frozenset(texts)), hash(tuple(rights)), place)

    def _compare(self, texts: int, right: int, place: Place) -> None:
        """With the item that had these texts first; None where it is known that its right one was another."""
        known = self._rights.setdefault(texts, (right, place))
        if known is None or known[0] != right:
            self._places[_CONTRADICTING] += [known[1], place] if known else [place]
            self._rights[texts] = None

    def in_words(self) -> str:
        """One line: how many texts, which errors, and in which rows or, of several files, items; empty for none."""
        if not (n := sum(map(len, self._places.values()))):
            return ""
        found = "; ".join(f"{said} ({self._where(places)})" for said, places in self._places.items())
        have = "has what data lint calls an error and is" if n == 1 else "have what data lint calls errors and are"
        return f"{n:,} of {counted(self._n, 'text')} {have} scored all the same: {found}."

    def _where(self, places: list[Place]) -> str:
        by_row = all(row for _, row in places) and not self._several_files
        names = [*dict.fromkeys(f"{row:,}" if by_row else item for item, row in places)]
        more = f" and {len(names) - _PLACES:,} more" if len(names) > _PLACES else ""
        return f"{'row' if by_row else 'item'}{'s' if len(names) > 1 else ''} {', '.join(names[:_PLACES])}{more}"
