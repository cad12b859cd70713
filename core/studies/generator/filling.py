"""The words of an item inserted into a cell, in the forms that features and agreement require."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.errors import InputError
from core.studies.generator.drawing import Cell, Drawn
from core.studies.generator.syntax import REGION, Slot, refuse
from core.text.lexicon import AGREEING, DIMENSIONS, Features, form_number
from core.text.spelling import spell
from core.text.words import word_spans
from core.types import Span

Turns = Mapping[tuple[str, tuple[str, ...]], str]
"""For features that alternate, by slot key and options, the one of this item."""


def turns(cells: Sequence[Cell], number: int) -> Turns:
    """The alternating features of item `number` (from 0); all combinations occur equally often."""
    slots = (part for cell in cells for part in cell.parts if isinstance(part, Slot))
    turning = dict.fromkeys((slot.key, options) for slot in slots for options in slot.features if len(options) > 1)
    chosen = {}
    for key, options in turning:
        number, place = divmod(number, len(options))
        chosen[key, options] = options[place]
    return chosen


def sentence(cell: Cell, words: Drawn, features: Turns, language: str) -> str:
    """The cell's sentence with its region between asterisks. Raises InputError for a form that no word has."""
    filling = _Filling(cell.slots, words, features)
    parts = (part if isinstance(part, str) else f"{{{filling.form(part)}}}" for part in cell.parts)
    return spell("".join(parts), language)


def positions(marked: str) -> tuple[str, tuple[int, ...]]:
    """A sentence without its asterisks, and the positions of the words between them (marks with the word before)."""
    text, regions = _unmarked(marked)
    spans = word_spans(text, "previous")
    within = [any(start < until and since < end for since, until in regions) for start, end in spans]
    return text, tuple(position for position, inside in enumerate(within) if inside)


def _unmarked(marked: str) -> tuple[str, list[Span]]:
    text, regions = "", []
    for number, part in enumerate(marked.split(REGION)):
        start = len(text)
        text += part if text and text[-1] != " " else part.lstrip()
        if number % 2:
            regions.append((start, len(text)))
    return text.rstrip(), regions


@dataclass(frozen=True)
class _Filling:
    slots: Mapping[str, Slot]
    words: Drawn
    turns: Turns
    numbers: dict[Slot, int] = field(default_factory=dict)

    def form(self, slot: Slot) -> str:
        return self.words[slot.key].forms[self._number(slot)]

    def _number(self, slot: Slot) -> int:
        if slot not in self.numbers:
            features = frozenset(self.turns.get((slot.key, options), options[0]) for options in slot.features)
            agreement = self._agreement(slot) if slot.agrees else frozenset()
            try:
                self.numbers[slot] = form_number(self.words[slot.key].features, features, agreement)
            except InputError as error:
                refuse(str(error), slot.source)
        return self.numbers[slot]

    def _agreement(self, slot: Slot) -> Features:
        """Number and gender of the word that this one agrees with, one of them reversed if the slot says so."""
        entry, number = self.words[slot.agrees], self._number(self.slots[slot.agrees])
        features = entry.gender | (entry.features[number] & AGREEING)
        pair = frozenset(DIMENSIONS[slot.but]) if slot.but else frozenset()
        if slot.but and not features & pair:
            refuse(f"the word that '{slot.agrees}' stands for has no {slot.but} to differ from.", slot.source)
        return features ^ pair
