"""A word tokenized on its own, scored token by token: earlier tokens written out, one mask for the rest."""

from __future__ import annotations

from collections.abc import Iterator

from core.models import Loaded
from core.scorers._batching import Row
from core.scorers._encoder_decoder import AT_MASK, start_symbol
from core.scorers._encoding import Encoded
from core.scorers._masking import mask_of
from core.scorers._words_apart import WordsApartScorer
from core.types import GAP, Request


class RestOfWordScorer(WordsApartScorer):
    """A masked model or an encoder-decoder. The text after a word may contain further gaps (`core.types.GAP`)."""

    def __init__(self, network: Loaded) -> None:
        super().__init__(network)
        self._mask = mask_of(network)
        self._decoder = (start_symbol(network), self._mask) if network.head == "seq2seq" else ()
        self._written = str(self._tokenizer.backend.id_to_token(self._mask)).lstrip("▁")

    def _rows(self, request: Request, word: Encoded) -> Iterator[Row]:
        space = request.continuation[: len(request.continuation) - len(request.continuation.lstrip())]
        for place, target in enumerate(word.ids):
            known = self._tokenizer.backend.decode(word.ids[:place], skip_special_tokens=False).lstrip()
            hidden = known + self._written
            text = request.context + space + hidden + request.after.replace(GAP, hidden)
            ids = self._masked(text, 1 + request.after.count(GAP))
            position = AT_MASK if self._decoder else ids.index(self._mask)
            yield Row(ids, ((position, target),), self._decoder)

    def _masked(self, text: str, n_masks: int) -> tuple[int, ...]:
        """The ids of a text with so many masks, framed; InputError for other special tokens and a text too long."""
        found = self._read(text, self._mask)
        if found.count(self._mask) > n_masks or (not self._decoder and self._mask not in found):
            raise self._special(text)
        return self._framed(found)
