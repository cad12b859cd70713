"""What is kept out of training text: sentences by regular expressions, and evaluation data.

Expressions train a language without some construction; they are RE2's: always linear in the length of the text,
without look-around and references. A sentence is forbidden when it equals a benchmark string, and also when it
contains one of the held-out sentences (`held_out.txt`, the worked examples) of `CONTAINED_FROM` words or more.
Comparison ignores letter case, punctuation and spacing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.training.packing import open_lines

MOST_CHARACTERS = 500
"""Of an expression."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Keep what matches `keep` but not `drop`; an empty expression has no effect.

    Case is ignored. Raises InputError, which quotes the expression, for one that is invalid.
    """

    keep: str = ""
    drop: str = ""

    def __post_init__(self) -> None:
        for name, expression in (("keep", self.keep), ("drop", self.drop)):
            if len(expression) > MOST_CHARACTERS:
                raise InputError(f"a regular expression has {MOST_CHARACTERS} characters at most.", name)
            _matches(name, [""], expression)

    @property
    def idle(self) -> bool:
        """Whether everything is kept."""
        return not self.keep and not self.drop

    def kept(self, sentences: Sequence[str]) -> NDArray[np.bool_]:
        """Which sentences stay, shape (sentences,)."""
        stay = np.ones(len(sentences), dtype=bool)
        if self.keep:
            stay &= _matches("keep", sentences, self.keep)
        if self.drop:
            stay &= ~_matches("drop", sentences, self.drop)
        return stay


def _matches(name: str, sentences: Sequence[str], expression: str) -> NDArray[np.bool_]:
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        found = pc.match_substring_regex(pa.array(sentences, pa.string()), expression, ignore_case=True)
    except pa.ArrowInvalid as error:
        reason = str(error).partition(": ")[2] or str(error)
        raise InputError(f"'{expression}' is not a regular expression that can be used: {reason}.", name) from None
    answer: NDArray[np.bool_] = found.to_numpy(zero_copy_only=False)
    return answer


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language without some construction: its title, and the filter."""

    title: str
    drop: str


GRAMMARS = (
    Grammar("without relative clauses", r"\b(who|which)\b"),
    Grammar("without a phrase after the subject", r"^the \w+ (in|near|behind|beside) the \w+ \w+"),
    Grammar("without plural subjects after a relative clause", r"\b(who|which)\b.* (were|are|have)\b"),
    Grammar("without reflexive pronouns", r"\b(himself|herself|themselves)\b"),
)
"""Examples: our sample text has all of these constructions."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of a filter: how many sentences stay and go, and the first of each."""

    stay: int
    go: int
    staying: tuple[str, ...]
    going: tuple[str, ...]


def preview(sentences: Sequence[str], chosen_by: Filter, most: int = 5) -> Preview:
    """The effect of the filter on these sentences."""
    kept = chosen_by.kept(sentences)
    stay, go = np.flatnonzero(kept), np.flatnonzero(~kept)
    first = [tuple(sentences[place] for place in places[:most]) for places in (stay, go)]
    return Preview(len(stay), len(go), *first)


CONTAINED_FROM = 4
"""Held-out sentences with fewer words ("He slept.") forbid only a sentence equal to them."""

HELD_OUT = Path(__file__).with_name("held_out.txt")
MARKS = re.compile(r"[^\w\s]|_")
PIECES = re.compile(r"(?<=[.!?])\s+|[\t\n]")


def normal(text: str) -> str:
    """Case-folded, without punctuation, one space between words."""
    return " ".join(MARKS.sub("", text.casefold()).split())


def pieces(text: str) -> Iterator[str]:
    """A benchmark string and, if it is a passage or a table row, its parts."""
    yield text
    parts = PIECES.split(text)
    if len(parts) > 1:
        yield from parts


@dataclass(frozen=True)
class Exclusion:
    """What training text must not hold, in the form of :func:`normal`."""

    exact: frozenset[str]
    contained: re.Pattern[str] | None

    def forbids(self, sentence: str) -> bool:
        """Whether the sentence must not be trained on."""
        text = normal(sentence)
        return text in self.exact or (self.contained is not None and self.contained.search(text) is not None)


def exclusion(benchmarks: Iterable[str] = (), held_out: Iterable[str] | None = None) -> Exclusion:
    """Build the filter from benchmark strings and held-out sentences (default: the project's)."""
    kept_out = [normal(line) for line in (open_lines(HELD_OUT) if held_out is None else held_out)]
    exact = {normal(piece) for text in benchmarks for piece in pieces(text)}
    exact.update(kept_out)
    exact.discard("")
    long = [re.escape(text) for text in kept_out if text.count(" ") + 1 >= CONTAINED_FROM]
    pattern = re.compile(rf"\b(?:{'|'.join(long)})\b") if long else None
    return Exclusion(frozenset(exact), pattern)
