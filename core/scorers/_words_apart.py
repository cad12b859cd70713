"""What the scorers that cut a word into tokens apart from its context have in common: all but a word's rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import tokenizers

from core.errors import InputError
from core.models import Loaded
from core.models.tokenizer import no_panic
from core.scorers._batching import Batches, Row
from core.scorers._encoding import SHOWN, Encoded, check, no_tokens
from core.scorers._results import token_scores
from core.types import PLAIN, Extras, Request, TokenScores


class WordsApartScorer(ABC):
    """A network that reads a word's tokens at single places of texts that are written anew for each of them."""

    def __init__(self, network: Loaded) -> None:
        self._tokenizer = network.tokenizer
        self._window, self._name = network.window, network.name
        self._batches = Batches(network)
        # The originals' texts contain the mask as text, which must be read as the mask token.
        self._reader = tokenizers.Tokenizer.from_str(self._tokenizer.backend.to_str())
        self._reader.encode_special_tokens = False

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return self._batches.about

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. The ends of words are undefined: NaN."""
        words = [self._word(request) for request in requests]
        rows = ([*self._rows(*pair)] for pair in zip(requests, words, strict=True))
        name = self._tokenizer.backend.id_to_token
        total = sum(len(word.ids) for word in words)
        readings = self._batches.read(rows, replace(extras, boundary=False), total)
        return [token_scores(word, read, name, extras) for word, read in zip(words, readings, strict=True)]

    @abstractmethod
    def _rows(self, request: Request, word: Encoded) -> Iterator[Row]:
        """One row for each token of the word."""

    def _word(self, request: Request) -> Encoded:
        check(request.text)
        encoding = self._tokenizer.backend.encode(request.continuation, add_special_tokens=False)
        if not encoding.ids or not request.continuation.strip():
            raise no_tokens(request.continuation)
        reach = len(request.context)
        spans = tuple((reach + start, reach + end) for start, end in encoding.offsets)
        return Encoded(request.text, tuple(encoding.ids), tuple(encoding.tokens), spans, 0, 0)

    def _read(self, text: str, mask: int | None = None) -> list[int]:
        """The ids of a text without its frame; InputError for special tokens other than the mask."""
        with no_panic(self._name):
            found: list[int] = self._reader.encode(text, add_special_tokens=False).ids
        if any(id != mask and id in self._tokenizer.reserved for id in found):
            raise self._special(text)
        return found

    def _special(self, text: str) -> InputError:
        return InputError(f"a special token of this model stands in {text[:SHOWN]!r}; take it out of the text")

    def _framed(self, ids: Sequence[int]) -> tuple[int, ...]:
        return self._fitting((*self._tokenizer.before, *ids, *self._tokenizer.after))

    def _fitting(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        """The ids; InputError if they are more than the model can see."""
        if len(ids) > self._window:
            raise InputError(f"a text of {len(ids)} tokens is longer than the {self._window} that the model can see")
        return ids
