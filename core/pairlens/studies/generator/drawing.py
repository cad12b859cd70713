"""The conditions of a template, and the words of each item.

A condition is a combination of the levels of the template's factors, with its text and slots. Words are random, but
every word of a class occurs once before any occurs again.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from typing import TypeVar

from pairlens.errors import InputError, unknown
from pairlens.studies.generator.syntax import COMPARISON, REGION, Piece, Slot, alternatives, refuse
from pairlens.text.lexicon import AGREEING, DIMENSIONS, Entry, Features, Lexicon, form_number
from pairlens.text.spelling import spell
from pairlens.text.words import word_spans

TRIES = 200
"""After so many failed random draws in a row all combinations are tried, up to MOST_TRIED."""
MOST_TRIED = 100_000

_LETTERS = re.compile(r"[^\W\d_]+")
Drawn = Mapping[str, Entry]
"""The words of an item, by the key of their slots."""
T = TypeVar("T")


def candidates(cells: Sequence[Cell], lexicon: Lexicon) -> dict[str, tuple[Entry, ...]]:
    """The words that may fill each slot, without the template's own; InputError for unknown classes and features."""
    parts = [part for cell in cells for part in cell.parts]
    literal = {word.lower() for part in parts if isinstance(part, str) for word in _LETTERS.findall(part)}
    fitting = {}
    for slot in dict.fromkeys(part for part in parts if isinstance(part, Slot)):
        try:
            entries = lexicon.select(slot.classes)
        except InputError as error:
            refuse(str(error), slot.source)
        known = {feature for entry in entries for features in entry.features for feature in features}
        for feature in (feature for options in slot.features for feature in options):
            if feature not in known:
                refuse(unknown(f"{entries[0].path[0]} form", feature, known), slot.source)
        fitting[slot.key] = tuple(
            entry for entry in entries if not (entry.is_open and literal & {form.lower() for form in entry.forms})
        )
        if not fitting[slot.key]:
            refuse("every word of this class is in the template already.", slot.source)
    return fitting


class Draw:
    """The words of one item after another, determined by the seed."""

    def __init__(self, candidates: Mapping[str, tuple[Entry, ...]], seed: int) -> None:
        self._candidates = candidates
        self._chance = random.Random(seed)
        self._decks: dict[str, list[Entry]] = {key: [] for key in candidates}
        self._rest: dict[object, Iterator[Drawn]] = {}

    def find(self, make: Callable[[Drawn], T | None], kind: object) -> T | None:
        """The first result of `make` on the next words but None; of one `kind`, what fails once fails always."""
        if kind not in self._rest:
            for _ in range(TRIES):
                if (words := self._random()) and (item := make(words)) is not None:
                    return item
            self._rest[kind] = self._all()
        return next((item for words in self._rest[kind] if (item := make(words)) is not None), None)

    def _random(self) -> Drawn | None:
        """The next words of the decks; an empty deck, or one of taken words, is refilled and shuffled."""
        words: dict[str, Entry] = {}
        for key, deck in self._decks.items():
            for _ in range(2):
                if (entry := next((entry for entry in deck if _is_free(entry, words.values())), None)) is not None:
                    break
                deck[:] = self._candidates[key]
                self._chance.shuffle(deck)
            else:
                return None
            deck.remove(entry)
            words[key] = entry
        return words

    def _all(self) -> Iterator[Drawn]:
        """All combinations in a random order of the words, up to MOST_TRIED."""
        lists = [self._chance.sample(entries, len(entries)) for entries in self._candidates.values()]
        for words in islice(product(*lists), MOST_TRIED):
            if all(_is_free(entry, words[:place]) for place, entry in enumerate(words)):
                yield dict(zip(self._candidates, words, strict=True))


def _is_free(entry: Entry, words: Iterable[Entry]) -> bool:
    """Whether none of these words shares a form with this one; function words may be repeated."""
    return not entry.is_open or all(set(entry.forms).isdisjoint(other.forms) for other in words if other.is_open)


MOST_CELLS = 64


@dataclass(frozen=True, slots=True)
class Cell:
    """One condition, or one sentence of a pair in it: its level of each factor, and its text and slots in order."""

    levels: Mapping[str, str]
    parts: tuple[str | Slot, ...]

    @property
    def slots(self) -> Mapping[str, Slot]:
        return {part.key: part for part in reversed(self.parts) if isinstance(part, Slot)}


def cells(pieces: tuple[Piece, ...]) -> list[Cell]:
    """All cells, the comparison varying fastest; InputError for a template that does not make at least two."""
    factors = _factors(pieces)
    runs = (pieces, *(level for alternative in alternatives(pieces) for level in alternative.levels.values()))
    marked = any(isinstance(piece, str) and REGION in piece for run in runs for piece in run)
    cells = [dict(zip(factors, levels, strict=True)) for levels in product(*factors.values())]
    combinations = [Cell(cell, tuple(_flat(pieces, cell, marked))) for cell in cells]
    for cell in combinations:
        _check(cell)
    return combinations


def _factors(pieces: tuple[Piece, ...]) -> dict[str, tuple[str, ...]]:
    factors: dict[str, tuple[str, ...]] = {}
    for alternative in alternatives(pieces):
        levels = tuple(alternative.levels)
        if factors.setdefault(alternative.factor, levels) != levels:
            here, there = ", ".join(levels), ", ".join(factors[alternative.factor])
            refuse(f"the factor '{alternative.factor}' has the levels {there} at one place and {here} at another.")
    if not factors:
        refuse("there is no contrast: {verb:sg|verb:pl} makes a pair, [comma: with=,|without=] makes conditions.")
    if (number := prod(map(len, factors.values()))) > MOST_CELLS:
        refuse(f"its choices make {number:,} different sentences of each item; {MOST_CELLS} are the most.")
    return dict(sorted(factors.items(), key=lambda factor: factor[0] == COMPARISON))


def _flat(pieces: tuple[Piece, ...], cell: Mapping[str, str], marked: bool) -> Iterator[str | Slot]:
    """The text and slots of a cell; without a marked region, the region is where the sentences of a pair differ."""
    for piece in pieces:
        if isinstance(piece, str | Slot):
            yield piece
        else:
            edge = [] if marked or piece.factor != COMPARISON else [REGION]
            yield from [*edge, *_flat(piece.levels[cell[piece.factor]], cell, marked), *edge]


def _check(cell: Cell) -> None:
    if sum(part.count(REGION) for part in cell.parts if isinstance(part, str)) % 2:
        refuse("a region begins with an asterisk and ends with another; one of them is missing.")
    for slot in (part for part in cell.parts if isinstance(part, Slot)):
        followed = [slot]
        while agrees := followed[-1].agrees:
            if agrees not in cell.slots:
                named = (key for key in cell.slots if " " not in key)
                refuse(unknown("word to agree with", agrees, named), slot.source)
            if cell.slots[agrees] in followed:
                refuse("it agrees with itself, directly or by way of others.", slot.source)
            followed.append(cell.slots[agrees])


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


def sentence(cell: Cell, words: Drawn, turns: Turns, language: str) -> str:
    """The cell's sentence with its region between asterisks. Raises InputError for a form that no word has."""

    def form(slot: Slot) -> int:
        features = frozenset(turns.get((slot.key, options), options[0]) for options in slot.features)
        agreement = agreeing(slot) if slot.agrees else frozenset()
        try:
            return form_number(words[slot.key].features, features, agreement)
        except InputError as error:
            refuse(str(error), slot.source)

    def agreeing(slot: Slot) -> Features:
        """Number and gender of the word that this one agrees with, one of them reversed if the slot says so."""
        entry = words[slot.agrees]
        features = entry.gender | (entry.features[form(cell.slots[slot.agrees])] & AGREEING)
        pair = frozenset(DIMENSIONS[slot.but]) if slot.but else frozenset()
        if slot.but and not features & pair:
            refuse(f"the word that '{slot.agrees}' stands for has no {slot.but} to differ from.", slot.source)
        return features ^ pair

    parts = (part if isinstance(part, str) else f"{{{words[part.key].forms[form(part)]}}}" for part in cell.parts)
    return spell("".join(parts), language)


def positions(marked: str) -> tuple[str, tuple[int, ...]]:
    """A sentence without its asterisks, and the positions of the words between them (marks with the word before)."""
    text, regions = "", []
    for number, part in enumerate(marked.split(REGION)):
        start = len(text)
        text += part if text and text[-1] != " " else part.lstrip()
        if number % 2:
            regions.append((start, len(text)))
    spans = enumerate(word_spans(text.rstrip(), "previous"))
    within = (n for n, (start, end) in spans if any(start < until and since < end for since, until in regions))
    return text.rstrip(), tuple(within)
