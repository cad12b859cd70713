"""The base class of scorers that run a network, and the readings of a text as token scores."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import InputError, NoScoreError
from pairlens.models import Loaded
from pairlens.scorers._batching import Batches, Row
from pairlens.scorers._encoding import Encoded, encode
from pairlens.scorers._measuring import Readings
from pairlens.types import AT_ENDS, PLAIN, UNSCORED, Extras, Request, TokenScores

_Name = Callable[[int], str | None]


def token_scores(encoded: Encoded, readings: Readings, name: _Name, extras: Extras, unread: int = 0) -> TokenScores:
    """The scores of a continuation whose first `unread` tokens nothing predicts; `name` gives the token of a top id.

    An unread token is unscored: its entropy is NaN, and it has no top tokens. Ends of words and texts
    that were requested but not read are NaN. NoScoreError if the network gave a token no number.
    """
    part = slice(encoded.first, encoded.stop)
    ids = encoded.ids[part]
    n = len(ids)
    check_numbers(readings["logprobs"][: n - unread])  # what follows is read at the end of the text
    columns = {name: _column(values, unread) for name, values in readings.items() if values.ndim == 1}
    extra: dict[str, Any] = {"entropies": tuple(columns["entropies"][:n].tolist())} if extras.entropy else {}
    if extras.boundary:
        undefined = np.full(n + 1, UNSCORED)
        extra |= {name: tuple(columns.get(name, undefined).tolist()) for name in AT_ENDS}
    if extras.top:
        n_read = n - unread
        rows = zip(readings["top_ids"][:n_read].tolist(), readings["top_logprobs"][:n_read].tolist(), strict=True)
        tops = [tuple((name(id) or f"<{id}>", value) for id, value in zip(*row, strict=True)) for row in rows]
        extra["tops"] = (((),) * unread) + tuple(tops)
    if extras.temperatures:
        tempered = zip(extras.temperatures, readings["tempered"].T, strict=True)
        extra["tempered"] = {value: tuple(_column(column, unread)[:n].tolist()) for value, column in tempered}
    return TokenScores(
        tokens=encoded.tokens[part],
        ids=ids,
        logprobs=tuple(columns["logprobs"][:n].tolist()),
        spans=encoded.spans[part],
        n_straddling=encoded.n_straddling,
        **extra,
    )


def check_numbers(logprobs: NDArray[np.generic]) -> None:
    """NoScoreError if there are values among these that are no numbers; minus infinity, of probability 0, is one."""
    if bad := int(np.isnan(logprobs).sum()):
        raise NoScoreError(
            f"no finite score for {bad:,} of {logprobs.size:,} tokens: the model's weights are damaged, or its "
            "numbers are too large for this precision (dtype)."
        )


def _column(values: NDArray[np.generic], unread: int) -> NDArray[np.generic]:
    return np.concatenate([np.full(unread, np.nan, dtype=values.dtype), values])


class NetworkScorer(ABC):
    """A network under a policy.

    `window` is the most tokens of a text that it sees at once, `stride` the number of new tokens in each further
    window, 0 if each token has its own. `ends_words`: whether the ends of words are predicted. `sees_after`: whether
    the text after a continuation is taken into account.
    """

    ends_words = True
    sees_after = False

    def __init__(self, network: Loaded, window: int, stride: int = 0) -> None:
        self.tokenizer = network.tokenizer
        self._batches = self._batches_of(network)
        self.window, self.stride = window, stride

    def _batches_of(self, network: Loaded) -> Batches:
        return Batches(network)

    @property
    def about(self) -> Mapping[str, object]:
        return {**self._batches.about, "window": self.window, "stride": self.stride}

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `pairlens.types.Scorer`. Raises InputError where something follows a continuation that is not seen."""
        if not self.sees_after and any(request.after for request in requests):
            raise InputError("this model reads from left to right: what follows a word cannot count for it.")
        texts = self._encoded(requests)
        known = replace(extras, boundary=extras.boundary and self.ends_words)
        total = sum(text.stop - text.first for text in texts)
        readings = self._batches.read(([*self._rows(text, known.boundary)] for text in texts), known, total)
        return [
            self._finished(text, token_scores(text, read, self._name, extras, self._unread(text)))
            for text, read in zip(texts, readings, strict=True)
        ]

    def _encoded(self, requests: Sequence[Request]) -> list[Encoded]:
        return encode(self.tokenizer, requests)

    @abstractmethod
    def _rows(self, text: Encoded, boundary: bool) -> Iterator[Row]:
        """One row or more; in order, their outputs predict the continuation's tokens, with `boundary` its end too."""

    def _name(self, id: int) -> str | None:
        return self.tokenizer.backend.id_to_token(id)

    def _unread(self, text: Encoded) -> int:  # noqa: ARG002 - here, everything is read
        """The number of the continuation's first tokens that nothing predicts."""
        return 0

    def _finished(self, text: Encoded, scores: TokenScores) -> TokenScores:  # noqa: ARG002 - here, nothing is left out
        return scores
