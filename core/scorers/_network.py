"""What all scorers that run a network do with texts; how a text becomes rows of tokens is theirs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.models import Loaded
from core.scorers._batching import Batches, Row
from core.scorers._encoding import Encoded, encode
from core.scorers._results import token_scores
from core.types import PLAIN, Extras, Request, TokenScores


class NetworkScorer(ABC):
    """A network under a policy. `ends_words` says whether what follows a token is predicted from it."""

    ends_words = True

    def __init__(self, network: Loaded) -> None:
        self._tokenizer = network.tokenizer
        self._batches = Batches(network)

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return self._batches.about

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`."""
        texts = encode(self._tokenizer, requests)
        read = replace(extras, boundary=extras.boundary and self.ends_words)
        readings = self._batches.read(([*self._rows(text, read.boundary)] for text in texts), read)
        return [
            self._finished(text, token_scores(text, said, self._tokenizer, extras, self._unread(text)))
            for text, said in zip(texts, readings, strict=True)
        ]

    @abstractmethod
    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:
        """One row or more; in order, their outputs predict the continuation's tokens, with `boundary` its end too."""

    def _unread(self, text: Encoded) -> int:  # noqa: ARG002 - here, everything is read
        """How many of the continuation's first tokens nothing predicts."""
        return 0

    def _finished(self, text: Encoded, scores: TokenScores) -> TokenScores:  # noqa: ARG002 - here, nothing is left out
        """The scores without what the policy leaves out."""
        return scores
