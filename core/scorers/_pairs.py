"""Two texts at once, and what a network with a head for pairs says about them: one answer for both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.errors import InputError
from core.messages import Message
from core.models import Loaded
from core.scorers._batching import Batches, Row
from core.scorers._encoding import SHOWN, Encoded, encode
from core.scorers._measuring import Readings, picked
from core.scorers._results import token_scores
from core.types import Extras, Request, TokenScores

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
        """See `core.types.Scorer`."""
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
