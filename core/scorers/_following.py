"""A next-sentence head as a scorer: one token, the whole continuation, with the log-probability that it is next."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InputError
from core.models import Loaded
from core.models.heads import NEXT_LABELS
from core.scorers._encoding import SHOWN, no_tokens
from core.scorers._pairs import Pair, PairScorer
from core.types import PLAIN, Extras, Request, TokenScores

_NEXT = 0


class FollowingScorer(PairScorer):
    """A network with two outputs, the first of which says that the second text is next."""

    def __init__(self, network: Loaded) -> None:
        super().__init__(network, NEXT_LABELS)

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. Ends of words are undefined: NaN. Entropies, ranks and tops are over two outcomes.

        Raises InputError for an empty context: nothing follows nothing.
        """
        readings = self._read([_pair(request) for request in requests], extras)
        return [self._scores(request, _NEXT, read, extras) for request, read in zip(requests, readings, strict=True)]


def _pair(request: Request) -> Pair:
    if not request.continuation.strip():
        raise no_tokens(request.continuation)
    if not request.context.strip():
        raise InputError(f"there is no text before {request.continuation[:SHOWN]!r}: what it follows is unknown")
    return request.context, request.continuation.removeprefix(" ")
