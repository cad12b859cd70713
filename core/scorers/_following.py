"""A next-sentence head as a scorer: one token, the whole continuation, with the log-probability that it is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import InputError
from core.models import Loaded
from core.models.heads import NEXT_LABELS
from core.scorers._encoding import Encoded
from core.scorers._measuring import Readings, picked
from core.scorers._pairs import PairNetwork
from core.scorers._results import token_scores
from core.types import PLAIN, Extras, Request, TokenScores

_NEXT = 0
_SHOWN = 60


class FollowingScorer:
    """A network with two outputs, of which the first says that the second text is next."""

    def __init__(self, network: Loaded) -> None:
        self._network = PairNetwork(network)

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return self._network.about

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. Ends of words are undefined: NaN. Entropies, ranks and tops are over two outcomes.

        Raises InputError for an empty context: nothing follows nothing.
        """
        pairs = [_pair(request) for request in requests]
        said = self._network.read(pairs, len(NEXT_LABELS), extras)
        return [_scores(request, read, extras) for request, read in zip(requests, said, strict=True)]


def _pair(request: Request) -> tuple[str, str]:
    if not request.continuation.strip():
        raise InputError(f"{request.continuation[:_SHOWN]!r} has no tokens to score")
    if not request.context.strip():
        raise InputError(f"there is no text before {request.continuation[:_SHOWN]!r}: what it follows is unknown")
    return request.context.strip(), request.continuation.strip()


def _scores(request: Request, said: Readings, extras: Extras) -> TokenScores:
    start = len(request.context) + len(request.continuation) - len(request.continuation.lstrip())
    span = (start, len(request.text.rstrip()))
    encoded = Encoded(request.text, (_NEXT,), (NEXT_LABELS[_NEXT],), (span,), first=0, n_straddling=0)
    return token_scores(encoded, picked(said, [_NEXT]), NEXT_LABELS.__getitem__, extras)
