"""The tokens of two beginnings, and which of their positions belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.errors import InputError
from core.models.loading import load_tokenizer
from core.scorers._encoding import Encoded, encode, start_symbol
from core.scoring.recipe import Recipe
from core.studies.next_word.pieces import pieces_of
from core.types import Request


@dataclass(frozen=True, slots=True)
class Alignment:
    """Positions of a receiver and of a donor that belong together, in order: those of the tokens that begin both, and
    of those that end both. What stands between is aligned one by one if it is equally many tokens, else not at all.

    `start` and `end` count the tokens that begin and end both, `parted` those between, in receiver and donor.
    """

    pairs: tuple[tuple[int, int], ...]
    start: int
    end: int
    parted: tuple[int, int]

    @property
    def whole(self) -> bool:
        """Whether every token has its counterpart."""
        return self.parted[0] == self.parted[1]


def aligned(receiver: Sequence[int], donor: Sequence[int]) -> Alignment:
    """Two beginnings' tokens over their shared start and end; InputError if they are the same."""
    start = _shared(receiver, donor)
    end = _shared(receiver[start:][::-1], donor[start:][::-1])
    parted = len(receiver) - start - end, len(donor) - start - end
    if parted == (0, 0):
        raise InputError("both beginnings are the same for this model: there is nothing to move")
    between = range(start, start + parted[0]) if parted[0] == parted[1] else ()
    ends = ((len(receiver) - place, len(donor) - place) for place in range(end, 0, -1))
    return Alignment((*((place, place) for place in (*range(start), *between)), *ends), start, end, parted)


def _shared(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


class Cutter:
    """Cuts texts into tokens as a recipe's model does, without its weights; the start symbol is the first of them."""

    def __init__(self, recipe: Recipe) -> None:
        self._tokenizer = load_tokenizer(recipe.model)
        start = start_symbol(self._tokenizer, recipe.policy.first_token, recipe.model.name)
        self._symbol = () if start is None or recipe.policy.first_token == "separate" else (start,)
        self._shown = pieces_of(self._tokenizer).shown
        self.whole_words = pieces_of(self._tokenizer).whole
        self.has_symbol = bool(self._symbol)

    def ids(self, text: str) -> tuple[int, ...]:
        """The tokens of a beginning as the model reads it."""
        return (*self._symbol, *self._encoded(text).ids)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The characters of each, those of the start symbol being none."""
        return [*((0, 0) for _ in self._symbol), *self._encoded(text).spans]

    def shown(self, ids: Sequence[int]) -> list[str]:
        """Tokens for display, a leading space as ·."""
        return [self._shown[id] for id in ids]

    def named(self, token: str) -> str:
        """One for display by its name in the vocabulary."""
        id = self._tokenizer.backend.token_to_id(token)
        return token if id is None else self._shown[id]

    def _encoded(self, text: str) -> Encoded:
        return encode(self._tokenizer, [Request("", text)])[0]
