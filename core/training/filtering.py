"""What is kept out of training text, by regular expressions: they train a language without some construction.

They are RE2's: always linear in the length of the text, without look-around and references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError

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
    kept = chosen_by.kept(sentences)
    stay, go = np.flatnonzero(kept), np.flatnonzero(~kept)
    first = [tuple(sentences[place] for place in places[:most]) for places in (stay, go)]
    return Preview(len(stay), len(go), *first)
