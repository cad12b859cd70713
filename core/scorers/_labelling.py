"""A classifier of pairs as a scorer: one token, the label, whose log-probability is that of the label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.errors import InputError, unknown
from core.models import Loaded
from core.scorers._encoding import Encoded
from core.scorers._measuring import Readings, picked
from core.scorers._pairs import Pair, PairNetwork
from core.scorers._results import token_scores
from core.types import PLAIN, Extras, Request, TokenScores

_SHOWN = 60


class LabellingScorer:
    """A network and the names of its classes, in the order of its outputs."""

    def __init__(self, network: Loaded, labels: tuple[str, ...]) -> None:
        self._network = PairNetwork(network)
        self._labels = labels
        self._places = {label.casefold(): place for place, label in enumerate(labels)}
        self._places.update({label: place for place, label in enumerate(labels)})
        self._last: tuple[Extras, dict[Pair, Readings]] = (PLAIN, {})

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return self._network.about

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. Ends of words are undefined: NaN. Entropies, ranks and tops are over labels."""
        asked = [(_pair(request), self._place(request)) for request in requests]
        known = self._read(list(dict.fromkeys(pair for pair, _ in asked)), extras)
        return [
            self._scores(request, place, known[pair], extras)
            for request, (pair, place) in zip(requests, asked, strict=True)
        ]

    def _read(self, pairs: list[Pair], extras: Extras) -> dict[Pair, Readings]:
        """What the network says about each pair.

        The last pair is remembered: where a run's labels are asked for in several calls, a cut may fall between the
        labels of one pair.
        """
        remembered, last = self._last
        known = {pair: last[pair] for pair in pairs if remembered == extras and pair in last}
        missing = [pair for pair in pairs if pair not in known]
        known.update(zip(missing, self._network.read(missing, len(self._labels), extras), strict=True))
        if pairs:
            self._last = extras, {pairs[-1]: known[pairs[-1]]}
        return known

    def _place(self, request: Request) -> int:
        label = request.continuation.strip()
        if not label:
            raise InputError(f"{request.continuation[:_SHOWN]!r} has no tokens to score")
        place = self._places.get(label, self._places.get(label.casefold()))
        if place is None:
            raise InputError(unknown("label of this model", label[:_SHOWN], self._labels))
        return place

    def _scores(self, request: Request, place: int, said: Readings, extras: Extras) -> TokenScores:
        start = len(request.text) - len(request.continuation.lstrip())
        span = (start, len(request.text.rstrip()))
        label = self._labels[place]
        encoded = Encoded(request.text, (place,), (label,), (span,), first=0, n_straddling=0)
        return token_scores(encoded, picked(said, [place]), self._labels.__getitem__, extras)


def _pair(request: Request) -> Pair:
    """Premise and hypothesis: the two lines of a request's context."""
    premise, _, hypothesis = request.context.strip("\n").partition("\n")
    if not premise.strip() or not hypothesis.strip() or "\n" in hypothesis:
        raise InputError(
            f"expected a premise and a hypothesis, a line each, before a label; found {request.context[:_SHOWN]!r}"
        )
    return premise, hypothesis
