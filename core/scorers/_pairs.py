"""Two texts at once, and what a network with a head for pairs says about them: a label, or whether one is next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.errors import InputError, unknown
from core.messages import Message
from core.models import Loaded
from core.models.heads import NEXT_LABELS
from core.scorers._batching import Batches, Row
from core.scorers._encoding import SHOWN, Encoded, encode, no_tokens
from core.scorers._measuring import Readings, picked
from core.scorers._network import token_scores
from core.types import PLAIN, Extras, Request, TokenScores

Pair = tuple[str, str]
"""The first text and the second one."""


class PairScorer:
    """A network that reads two texts, framed as its tokenizer does, and chooses one of its classes.

    The class is the one token of a request's continuation. `labels` names the classes in the order of the outputs.
    """

    def __init__(self, network: Loaded, labels: Sequence[str]) -> None:
        self._tokenizer = network.tokenizer
        self._window = network.window
        self._batches = Batches(network)
        self._labels = tuple(labels)

    @property
    def about(self) -> Mapping[str, object]:
        return self._batches.about

    def _read(self, pairs: Sequence[Pair], extras: Extras) -> Iterator[Readings]:
        """Per pair one row for each class; equal pairs run once. A class has no end of a word or text to read.

        Raises InputError for a text that cannot be encoded and for a pair that is longer than the network can see.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        encoded = dict(zip(texts, encode(self._tokenizer, [Request("", text) for text in texts]), strict=True))
        rows = [self._row(encoded[first], encoded[second]) for first, second in pairs]
        return self._batches.read(([row] for row in rows), replace(extras, boundary=False))

    def _row(self, first: Encoded, second: Encoded) -> Row:
        ids, types = self._tokenizer.pair.row(first.ids, second.ids)
        if len(ids) > self._window:
            raise InputError(
                Message(
                    "a pair of {n} tokens is longer than the {window} that the model can see; give it shorter texts",
                    n=len(ids), window=self._window,
                ),
                f'"{first.text[:SHOWN]}…"',
            )  # fmt: skip
        return Row(ids, tuple((0, place) for place in range(len(self._labels))), types=types)

    def _scores(self, request: Request, place: int, readings: Readings, extras: Extras) -> TokenScores:
        """The scores of a continuation that stands for the class at this place."""
        start = len(request.context) + len(request.continuation) - len(request.continuation.lstrip())
        span = (start, len(request.text.rstrip()))
        encoded = Encoded(request.text, (place,), (self._labels[place],), (span,), first=0, n_straddling=0)
        return token_scores(encoded, picked(readings, [place]), self._labels.__getitem__, extras)


class LabellingScorer(PairScorer):
    """A network and the names of its classes, in the order of its outputs."""

    def __init__(self, network: Loaded, labels: tuple[str, ...]) -> None:
        super().__init__(network, labels)
        self._places = {label.casefold(): place for place, label in enumerate(labels)}
        self._places.update({label: place for place, label in enumerate(labels)})
        self._last: tuple[Extras, dict[Pair, Readings]] = (PLAIN, {})

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. Ends of words are undefined: NaN. Entropies, ranks and tops are over labels."""
        parsed = [(_parsed(request), self._place(request)) for request in requests]
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


def _parsed(request: Request) -> Pair:
    """Premise and hypothesis: the two lines of a request's context."""
    premise, _, hypothesis = request.context.strip("\n").partition("\n")
    if not premise.strip() or not hypothesis.strip() or "\n" in hypothesis:
        raise InputError(
            f"expected a premise and a hypothesis, a line each, before a label; found {request.context[:SHOWN]!r}"
        )
    return premise, hypothesis


_NEXT = 0


class FollowingScorer(PairScorer):
    """A network with two outputs, the first of which says that the second text is next."""

    def __init__(self, network: Loaded) -> None:
        super().__init__(network, NEXT_LABELS)

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        """See `core.types.Scorer`. Ends of words are undefined: NaN. Entropies, ranks and tops are over two outcomes.

        Raises InputError for an empty context: nothing follows nothing.
        """
        readings = self._read([_followed(request) for request in requests], extras)
        return [self._scores(request, _NEXT, read, extras) for request, read in zip(requests, readings, strict=True)]


def _followed(request: Request) -> Pair:
    if not request.continuation.strip():
        raise no_tokens(request.continuation)
    if not request.context.strip():
        raise InputError(f"there is no text before {request.continuation[:SHOWN]!r}: what it follows is unknown")
    return request.context, request.continuation.removeprefix(" ")
