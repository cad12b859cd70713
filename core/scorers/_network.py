"""The base class of scorers that run a network; subclasses define how a text becomes rows of tokens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.errors import InputError
from core.models import Loaded
from core.scorers._batching import Batches, Row
from core.scorers._encoding import Encoded, encode
from core.scorers._results import token_scores
from core.types import PLAIN, Extras, Request, TokenScores


class NetworkScorer(ABC):
    """A network under a policy.

    `window` is the most tokens of a text that it sees at once, `stride` the number of new tokens in each further
    window, 0 if each token has its own. `ends_words`: whether the ends of words are predicted. `sees_after`: whether
    the text after a continuation is taken into account.
    """

    ends_words = True
    sees_after = False

    def __init__(self, network: Loaded, window: int, stride: int = 0) -> None:
        self._tokenizer = network.tokenizer
        self._batches = Batches(network)
        self.window, self.stride = window, stride

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return {**self._batches.about, "window": self.window, "stride": self.stride}

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. Raises InputError where something follows a continuation that is not seen."""
        if not self.sees_after and any(request.after for request in requests):
            raise InputError("this model reads from left to right: what follows a word cannot count for it.")
        texts = self._encoded(requests)
        known = replace(extras, boundary=extras.boundary and self.ends_words)
        total = sum(text.stop - text.first for text in texts)
        readings = self._batches.read(([*self._rows(text, known.boundary)] for text in texts), known, total)
        name = self._tokenizer.backend.id_to_token
        return [
            self._finished(text, token_scores(text, read, name, extras, self._unread(text)))
            for text, read in zip(texts, readings, strict=True)
        ]

    def _encoded(self, requests: Sequence[Request]) -> list[Encoded]:
        """The requests' tokens."""
        return encode(self._tokenizer, requests)

    @abstractmethod
    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:
        """One row or more; in order, their outputs predict the continuation's tokens, with `boundary` its end too."""

    def _unread(self, text: Encoded) -> int:  # noqa: ARG002 - here, everything is read
        """The number of the continuation's first tokens that nothing predicts."""
        return 0

    def _finished(self, text: Encoded, scores: TokenScores) -> TokenScores:  # noqa: ARG002 - here, nothing is left out
        """The scores without what the policy leaves out."""
        return scores
