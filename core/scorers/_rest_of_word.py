"""A word tokenized on its own, scored token by token: earlier tokens written out, one mask for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import tokenizers

from core.errors import InputError
from core.models import Loaded
from core.scorers._batching import Batches, Row
from core.scorers._encoder_decoder import AT_MASK, start_symbol
from core.scorers._encoding import SHOWN, Encoded, check, no_tokens
from core.scorers._masking import mask_of
from core.scorers._results import token_scores
from core.types import GAP, PLAIN, Extras, Request, TokenScores


class RestOfWordScorer:
    """A masked model or an encoder-decoder. The text after a word may contain further gaps (`core.types.GAP`)."""

    def __init__(self, network: Loaded) -> None:
        self._tokenizer = network.tokenizer
        self._window = network.window
        self._batches = Batches(network)
        self._mask = mask_of(network)
        self._decoder = (start_symbol(network), self._mask) if network.head == "seq2seq" else ()
        self._written = str(self._tokenizer.backend.id_to_token(self._mask)).lstrip("▁")
        # The original's texts contain the mask as text, which must be read as the mask token.
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
        readings = self._batches.read(rows, replace(extras, boundary=False))
        return [token_scores(word, read, name, extras) for word, read in zip(words, readings, strict=True)]

    def _word(self, request: Request) -> Encoded:
        check(request.text)
        encoding = self._tokenizer.backend.encode(request.continuation, add_special_tokens=False)
        if not encoding.ids or not request.continuation.strip():
            raise no_tokens(request.continuation)
        reach = len(request.context)
        spans = tuple((reach + start, reach + end) for start, end in encoding.offsets)
        return Encoded(request.text, tuple(encoding.ids), tuple(encoding.tokens), spans, 0, 0)

    def _rows(self, request: Request, word: Encoded) -> Iterator[Row]:
        space = request.continuation[: len(request.continuation) - len(request.continuation.lstrip())]
        for place, target in enumerate(word.ids):
            known = self._tokenizer.backend.decode(word.ids[:place], skip_special_tokens=False).lstrip()
            hidden = known + self._written
            text = request.context + space + hidden + request.after.replace(GAP, hidden)
            ids = self._read(text, 1 + request.after.count(GAP))
            position = AT_MASK if self._decoder else ids.index(self._mask)
            yield Row(ids, ((position, target),), self._decoder)

    def _read(self, text: str, n_masks: int) -> tuple[int, ...]:
        """The ids of a text with so many masks, framed; InputError for other special tokens and a text too long."""
        found = self._reader.encode(text, add_special_tokens=False).ids
        strange = any(id != self._mask and id in self._tokenizer.reserved for id in found)
        if strange or found.count(self._mask) > n_masks or (not self._decoder and self._mask not in found):
            raise InputError(f"a special token of this model stands in {text[:SHOWN]!r}; take it out of the text")
        ids = (*self._tokenizer.before, *found, *self._tokenizer.after)
        if len(ids) > self._window:
            raise InputError(f"a text of {len(ids)} tokens is longer than the {self._window} that the model can see")
        return ids
