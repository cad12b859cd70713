"""A classifier of pairs as a scorer: one token, the label, whose log-probability is that of the label."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import InputError, unknown
from core.models import Loaded
from core.scorers._encoding import SHOWN, no_tokens
from core.scorers._measuring import Readings
from core.scorers._pairs import Pair, PairScorer
from core.types import PLAIN, Extras, Request, TokenScores


class LabellingScorer(PairScorer):
    """A network and the names of its classes, in the order of its outputs."""

    def __init__(self, network: Loaded, labels: tuple[str, ...]) -> None:
        super().__init__(network, labels)
        self._places = {label.casefold(): place for place, label in enumerate(labels)}
        self._places.update({label: place for place, label in enumerate(labels)})
        self._last: tuple[Extras, dict[Pair, Readings]] = (PLAIN, {})

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. Ends of words are undefined: NaN. Entropies, ranks and tops are over labels."""
        parsed = [(_pair(request), self._place(request)) for request in requests]
        readings = self._known(list(dict.fromkeys(pair for pair, _ in parsed)), extras)
        return [
            self._scores(request, place, readings[pair], extras)
            for request, (pair, place) in zip(requests, parsed, strict=True)
        ]

    def _known(self, pairs: list[Pair], extras: Extras) -> dict[Pair, Readings]:
        """The readings of each pair.

        Those of the last pair are kept: if a run's requests come in several calls, a cut may fall between the labels
        of one pair.
        """
        kept_for, kept = self._last
        known = {pair: kept[pair] for pair in pairs if kept_for == extras and pair in kept}
        missing = [pair for pair in pairs if pair not in known]
        known.update(zip(missing, self._read(missing, extras), strict=True))
        if pairs:
            self._last = extras, {pairs[-1]: known[pairs[-1]]}
        return known

    def _place(self, request: Request) -> int:
        label = request.continuation.strip()
        if not label:
            raise no_tokens(request.continuation)
        place = self._places.get(label, self._places.get(label.casefold()))
        if place is None:
            raise InputError(unknown("label of this model", label[:SHOWN], self._labels))
        return place


def _pair(request: Request) -> Pair:
    """Premise and hypothesis: the two lines of a request's context."""
    premise, _, hypothesis = request.context.strip("\n").partition("\n")
    if not premise.strip() or not hypothesis.strip() or "\n" in hypothesis:
        raise InputError(
            f"expected a premise and a hypothesis, a line each, before a label; found {request.context[:SHOWN]!r}"
        )
    return premise, hypothesis
