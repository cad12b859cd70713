"""Pseudo-log-likelihoods: each token given everything around it, with a mask in its place.

    within_word_l2r   the later pieces of its word are masked too (Kauf & Ivanova 2023)
    original          it alone is masked (Salazar et al. 2020)

The special tokens that the tokenizer puts around a text are part of every row and never scored. In a text that is
longer than the window, the row is the window around the masked token.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.errors import ModelError, PolicyError
from core.models import Loaded
from core.policies import Policy
from core.scorers import _windows
from core.scorers._batching import Batches, Row
from core.scorers._encoding import Encoded, encode
from core.scorers._measuring import NO_TARGET
from core.scorers._results import token_scores, without_word_ends
from core.types import PLAIN, Extras, Request, TokenScores
from core.words import word_positions


class MaskingScorer:
    """A masked model under a policy.

    With `shift` 0 a masked token is read where it stands, with `shift` 1 at the position before it, as in masked
    next-token prediction; a token with nothing before it is then unscored.
    """

    def __init__(self, network: Loaded, policy: Policy, shift: int) -> None:
        tokenizer = network.tokenizer
        if tokenizer.mask is None:
            raise ModelError(f"'{network.name}' has no mask token in its tokenizer.")
        self._tokenizer, self._mask, self._shift = tokenizer, tokenizer.mask, shift
        self._within_words = policy.pll == "within_word_l2r"
        self._room = _windows.size(network, policy) - len(tokenizer.before) - len(tokenizer.after)
        if self._room < 2:
            raise PolicyError(f"A window of {policy.window} tokens leaves no room between special tokens.")
        self._batches = Batches(network)

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return self._batches.about

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`."""
        texts = encode(self._tokenizer, requests)
        readings = self._batches.read(([*self._rows(text)] for text in texts), replace(extras, boundary=False))
        scores = []
        for text, said in zip(texts, readings, strict=True):
            one = token_scores(text, said, self._tokenizer, self._unread(text))
            scores.append(without_word_ends(one) if extras.boundary else one)
        return scores

    def _unread(self, text: Encoded) -> int:
        """How many of the continuation's first tokens have no position that predicts them."""
        return int(self._shift > len(self._tokenizer.before) + text.first)

    def _rows(self, text: Encoded) -> Iterator[Row]:
        """One row for each token of the continuation."""
        words = word_positions(text.spans, text.text)
        read = range(text.first + self._unread(text), len(text.ids))
        for place in read:
            begin, end = _windows.centred(len(text.ids), self._room, place)
            ids = list(text.ids[begin:end])
            ids[place - begin] = self._mask
            later = place + 1
            while self._within_words and later < end and words[later] == words[place]:
                ids[later - begin] = self._mask
                later += 1
            position = len(self._tokenizer.before) + place - begin - self._shift
            yield Row((*self._tokenizer.before, *ids, *self._tokenizer.after), ((position, text.ids[place]),))
        if not read:  # every text needs a row: this one's only output stands for no token
            yield Row(text.ids, ((0, NO_TARGET),))
