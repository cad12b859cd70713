"""Scorers that cut a word into tokens apart from its context.

`RewrittenScorer`: as BabyLM's pipeline scores words for its reading task (Charpentier et al. 2025, "BabyLM turns 3").

The word, without the space before it, is cut into tokens w1 .. wk on its own. Each is read after a text of its own:
the context and the tokens before it, each turned back into text alone and written on without a space. That text is
cut into tokens anew, so that what follows it need not be wi: it is the first token of wi's text. The network sees

    causal            the text in its frame; read at the last token, even if that is an end symbol
    masked, mntp      the text and three masks in its frame; read at the first mask, or one position before
    encoder-decoder   [CLS] text mask [EOS] in the encoder, BOS (without one: the mask) in the decoder; read there

A piece that begins inside a word is written as the vocabulary has it (`##ing`), and a piece of half a character as
the replacement character: these are the pipeline's texts, not good ones.

`RestOfWordScorer`: tokens before it are written out, one mask stands for the rest of the word (see `_unlisted`).
"""

from collections.abc import Iterator, Sequence

import tokenizers

from pairlens.errors import InputError
from pairlens.models import Loaded
from pairlens.models.tokenizer import no_panic
from pairlens.scorers._batching import Row
from pairlens.scorers._encoder_decoder import AT_MASK, start_symbol
from pairlens.scorers._encoding import SHOWN, Encoded, check, no_tokens
from pairlens.scorers._masking import mask_of
from pairlens.scorers._network import NetworkScorer
from pairlens.types import GAP, Request


class WordsApartScorer(NetworkScorer):
    ends_words = False
    sees_after = True

    def __init__(self, network: Loaded) -> None:
        super().__init__(network, network.window)
        self._model = network.name
        # The originals' texts contain the mask as text, which must be read as the mask token.
        self._reader = tokenizers.Tokenizer.from_str(self.tokenizer.backend.to_str())
        self._reader.encode_special_tokens = False

    def _encoded(self, requests: Sequence[Request]) -> list[Encoded]:
        return [self._word(request) for request in requests]

    def _word(self, request: Request) -> Encoded:
        check(request.text)
        encoding = self.tokenizer.backend.encode(request.continuation, add_special_tokens=False)
        if not encoding.ids or not request.continuation.strip():
            raise no_tokens(request.continuation)
        reach = len(request.context)
        spans = tuple((reach + start, reach + end) for start, end in encoding.offsets)
        return Encoded(request, tuple(encoding.ids), tuple(encoding.tokens), spans)

    def _read(self, text: str, mask: int | None = None) -> list[int]:
        """The ids of a text without its frame; InputError for special tokens other than the mask."""
        with no_panic(self._model):
            ids: list[int] = self._reader.encode(text, add_special_tokens=False).ids
        if any(id != mask and id in self.tokenizer.reserved for id in ids):
            raise self._special(text)
        return ids

    def _special(self, text: str) -> InputError:
        return InputError(f"a special token of this model stands in {text[:SHOWN]!r}; take it out of the text")

    def _framed(self, ids: Sequence[int]) -> tuple[int, ...]:
        return self._fitting((*self.tokenizer.before, *ids, *self.tokenizer.after))

    def _fitting(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        if len(ids) > self.window:
            raise InputError(f"a text of {len(ids)} tokens is longer than the {self.window} that the model can see")
        return ids


_MASKS = 3


class RewrittenScorer(WordsApartScorer):
    """A network of any of the three kinds; with `shift` 1, a masked one is read one position before the mask."""

    def __init__(self, network: Loaded, shift: int = 0) -> None:
        super().__init__(network)
        self._head, self._shift = network.head, shift
        self._mask = None if network.head == "causal" else mask_of(network)

    def _rows(self, word: Encoded, boundary: bool) -> Iterator[Row]:  # noqa: ARG002 - see `ends_words`
        if word.request.after:
            raise InputError("what follows a word cannot count for it here: its tokens are read from left to right.")
        text = word.request.context
        for place, id in enumerate(word.ids):
            piece = self.tokenizer.backend.decode([id], skip_special_tokens=False)
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
            cls, end = ((id,) if id is not None else () for id in (self.tokenizer.cls, self.tokenizer.end))
            start = self._mask if self.tokenizer.bos is None else self.tokenizer.bos
            return Row(self._fitting((*cls, *self._read(text), self._mask, *end)), ((0, target),), (start,))
        written = str(self._reader.id_to_token(self._mask)) * _MASKS
        ids = self._framed(self._read(text + written, self._mask))
        ended = ids[-1] != self._mask  # one symbol at most is taken to follow the masks
        return Row(ids, ((len(ids) - _MASKS - ended - self._shift, target),))


class RestOfWordScorer(WordsApartScorer):
    """A masked model or an encoder-decoder. The text after a word may contain further gaps (`pairlens.types.GAP`)."""

    def __init__(self, network: Loaded) -> None:
        super().__init__(network)
        self._mask = mask_of(network)
        self._decoder = (start_symbol(network), self._mask) if network.head == "seq2seq" else ()
        self._written = str(self.tokenizer.backend.id_to_token(self._mask)).lstrip("▁")

    def _rows(self, word: Encoded, boundary: bool) -> Iterator[Row]:  # noqa: ARG002 - see `ends_words`
        request = word.request
        space = request.continuation[: len(request.continuation) - len(request.continuation.lstrip())]
        for place, target in enumerate(word.ids):
            known = self.tokenizer.backend.decode(word.ids[:place], skip_special_tokens=False).lstrip()
            hidden = known + self._written
            text = request.context + space + hidden + request.after.replace(GAP, hidden)
            ids = self._masked(text, 1 + request.after.count(GAP))
            position = AT_MASK if self._decoder else ids.index(self._mask)
            yield Row(ids, ((position, target),), self._decoder)

    def _masked(self, text: str, n_masks: int) -> tuple[int, ...]:
        token = self._read(text, self._mask)
        if token.count(self._mask) > n_masks or (not self._decoder and self._mask not in token):
            raise self._special(text)
        return self._framed(token)
