"""The conditions of a template: every combination of the levels of its factors, with its text and slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from core.errors import unknown
from core.studies.generator.syntax import COMPARISON, REGION, Piece, Slot, alternatives, refuse

MOST_CELLS = 64


@dataclass(frozen=True, slots=True)
class Cell:
    """One condition, or one sentence of a pair in it: its level of each factor, and its text and slots in order."""

    levels: Mapping[str, str]
    parts: tuple[str | Slot, ...]

    @property
    def slots(self) -> Mapping[str, Slot]:
        """The first slot of each word."""
        return {part.key: part for part in reversed(self.parts) if isinstance(part, Slot)}


def cells(pieces: tuple[Piece, ...]) -> list[Cell]:
    """All cells, the comparison varying fastest.

    Raises InputError for a template without a contrast, with more than MOST_CELLS combinations, with different levels
    of one factor, with a region that does not end, or with a word that agrees with one that does not exist.
    """
    factors = _factors(pieces)
    marked = any(REGION in piece for piece in _texts(pieces))
    found = []
    for levels in product(*factors.values()):
        cell = dict(zip(factors, levels, strict=True))
        found.append(Cell(cell, tuple(_flat(pieces, cell, marked))))
        _check(found[-1])
    return found


def _factors(pieces: tuple[Piece, ...]) -> dict[str, tuple[str, ...]]:
    """Factor to levels in order of appearance, the comparison last."""
    factors: dict[str, tuple[str, ...]] = {}
    for one in alternatives(pieces):
        levels = tuple(one.levels)
        if factors.setdefault(one.factor, levels) != levels:
            here, there = ", ".join(levels), ", ".join(factors[one.factor])
            refuse(f"the factor '{one.factor}' has the levels {there} at one place and {here} at another.")
    if not factors:
        refuse("there is no contrast: {verb:sg|verb:pl} makes a pair, [comma: with=,|without=] makes conditions.")
    if (number := prod(map(len, factors.values()))) > MOST_CELLS:
        refuse(f"its choices make {number:,} different sentences of each item; {MOST_CELLS} are the most.")
    return dict(sorted(factors.items(), key=lambda factor: factor[0] == COMPARISON))


def _texts(pieces: tuple[Piece, ...]) -> Iterator[str]:
    levels = (level for one in alternatives(pieces) for level in one.levels.values())
    return (piece for run in (pieces, *levels) for piece in run if isinstance(piece, str))


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
