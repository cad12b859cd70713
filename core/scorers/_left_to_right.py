"""Each token given those before it: what the first token is given, and which rows a text makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.errors import ModelError
from core.models import Loaded
from core.policies import Policy
from core.scorers import _windows
from core.scorers._batching import Batches, Row
from core.scorers._encoding import Encoded, encode
from core.scorers._measuring import NO_TARGET
from core.scorers._results import token_scores
from core.types import PLAIN, UNSCORED, Extras, Request, TokenScores
from core.words import word_positions


class LeftToRightScorer:
    """A causal model under a policy."""

    def __init__(self, network: Loaded, policy: Policy) -> None:
        self._tokenizer = network.tokenizer
        self._start = _start_symbol(network, policy.first_token)
        self._first_token = policy.first_token
        self._window = _windows.size(network, policy)
        self._stride = policy.stride
        self._batches = Batches(network)

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return self._batches.about

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`."""
        texts = encode(self._tokenizer, requests)
        readings = self._batches.read(([*self._rows(text, extras.boundary)] for text in texts), extras)
        scores = []
        for text, said in zip(texts, readings, strict=True):
            unread = int(text.first == 0 and self._start is None)
            scores.append(self._first_word(text, token_scores(text, said, self._tokenizer, unread)))
        return scores

    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:
        """The rows whose outputs, in order, predict the continuation's tokens; with boundaries, its end too."""
        separate = self._first_token == "separate"
        if separate and text.first == 0 and self._start is not None:
            yield Row((self._start,), ((0, text.ids[0]),))
        symbol = () if separate or self._start is None else (self._start,)
        ids = symbol + text.ids
        first = max(1, text.first + len(symbol))
        # A lone token that nothing predicts still needs a row: the output after it stands for no token.
        to_the_end = boundary or (first == len(ids) and not separate)
        for begin, end, new in _windows.strided(len(ids), self._window, self._stride):
            reads = [(place - 1 - begin, ids[place]) for place in range(max(new, first), end)]
            if to_the_end and end == len(ids):
                reads.append((end - 1 - begin, NO_TARGET))
            if reads:
                yield Row(ids[begin : begin + reads[-1][0] + 1], tuple(reads))

    def _first_word(self, text: Encoded, scores: TokenScores) -> TokenScores:
        """Without the log-probabilities of the text's first word, if the policy leaves them out."""
        if self._first_token != "bos-unscored":
            return scores
        words = word_positions(text.spans, text.text, "previous")[text.first :]
        kept = [UNSCORED if word == 0 else value for word, value in zip(words, scores.logprobs, strict=True)]
        return replace(scores, logprobs=tuple(kept))


def _start_symbol(network: Loaded, first_token: str) -> int | None:
    """The token that a text follows, or None if the policy wants none; ModelError if the model has none."""
    if first_token in ("none", "one"):
        return None
    if network.tokenizer.start is None:
        raise ModelError(
            f"'{network.name}' has neither a start nor an end symbol for the first token to follow; "
            "use --first-token none."
        )
    return network.tokenizer.start
