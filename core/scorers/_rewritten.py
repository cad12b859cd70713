"""Words as BabyLM's pipeline scores them for its reading task (Charpentier et al. 2025, "BabyLM turns 3").

The word, without the space before it, is cut into tokens w1 .. wk on its own. Each is read after a text of its own:
the context and the tokens before it, each turned back into text alone and written on without a space. That text is
cut into tokens anew, so that what follows it need not be wi: it is the first token of wi's text. The network sees

    causal            the text in its frame; read at the last token, even if that is an end symbol
    masked, mntp      the text and three masks in its frame; read at the first mask, or one position before
    encoder-decoder   [CLS] text mask [EOS] in the encoder, BOS (without one: the mask) in the decoder; read there

A piece that begins inside a word is written as the vocabulary has it (`##ing`), and a piece of half a character as
the replacement character: these are the pipeline's texts, not good ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.errors import InputError
from core.models import Loaded
from core.scorers._batching import Row
from core.scorers._encoding import Encoded, no_tokens
from core.scorers._masking import mask_of
from core.scorers._words_apart import WordsApartScorer
from core.types import Request

_MASKS = 3


class RewrittenScorer(WordsApartScorer):
    """A network of any of the three kinds; with `shift` 1, a masked one is read one position before the mask."""

    def __init__(self, network: Loaded, shift: int = 0) -> None:
        super().__init__(network)
        self._head, self._shift = network.head, shift
        self._mask = None if network.head == "causal" else mask_of(network)

    def _rows(self, request: Request, word: Encoded) -> Iterator[Row]:
        if request.after:
            raise InputError("what follows a word cannot count for it here: its tokens are read from left to right.")
        text = request.context
        for place, id in enumerate(word.ids):
            piece = self._tokenizer.backend.decode([id], skip_special_tokens=False)
            again = self._read(piece)
            if place and not again:
                raise no_tokens(piece)
            yield self._row(text, again[0] if place else id)
            text += piece

    def _row(self, text: str, target: int) -> Row:
        if self._mask is None:
            ids = self._framed(self._read(text))
            return Row(ids, ((len(ids) - 1, target),))
        if self._head == "seq2seq":
            return self._decoded(text, target, self._mask)
        written = str(self._reader.id_to_token(self._mask)) * _MASKS
        ids = self._framed(self._read(text + written, self._mask))
        ended = ids[-1] != self._mask  # one symbol at most is taken to follow the masks
        return Row(ids, ((len(ids) - _MASKS - ended - self._shift, target),))

    def _decoded(self, text: str, target: int, mask: int) -> Row:
        cls, end = ((id,) if id is not None else () for id in (self._tokenizer.cls, self._tokenizer.end))
        ids = self._fitting((*cls, *self._read(text), mask, *end))
        start = mask if self._tokenizer.bos is None else self._tokenizer.bos
        return Row(ids, ((0, target),), (start,))
