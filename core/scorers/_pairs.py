"""Two texts at once, and what a network with a head for pairs says about them: one answer for both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from core.errors import InputError
from core.models import Loaded
from core.scorers._batching import Batches, Row
from core.scorers._encoding import Encoded, encode
from core.scorers._measuring import Readings
from core.types import Extras, Request

Pair = tuple[str, str]
"""The first text and the second one."""

_SHOWN = 60


class PairNetwork:
    """A network that reads two texts, framed as its tokenizer does, and chooses one of its classes."""

    def __init__(self, network: Loaded) -> None:
        self._tokenizer = network.tokenizer
        self._window = network.window
        self._batches = Batches(network)

    @property
    def about(self) -> Mapping[str, object]:
        """See `core.types.Scorer`."""
        return self._batches.about

    def read(self, pairs: Sequence[Pair], classes: int, extras: Extras) -> Iterator[Readings]:
        """Per pair one row for each of so many classes, in the order of the network's outputs; equal pairs run once.

        Ends of words and texts are not read: a class has none.
        Raises InputError for a text that cannot be encoded and for a pair that is longer than the network can see.
        """
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        encoded = dict(zip(texts, encode(self._tokenizer, [Request("", text) for text in texts]), strict=True))
        reads = tuple((0, place) for place in range(classes))
        rows = [self._row(encoded[first], encoded[second], reads) for first, second in pairs]
        return self._batches.read(([row] for row in rows), replace(extras, boundary=False))

    def _row(self, first: Encoded, second: Encoded, reads: tuple[tuple[int, int], ...]) -> Row:
        ids, types = self._tokenizer.pair.row(first.ids, second.ids)
        if len(ids) > self._window:
            raise InputError(
                f"a pair of {len(ids)} tokens is longer than the {self._window} that the model can see;"
                " give it shorter texts",
                f'"{first.text[:_SHOWN]}…"',
            )
        return Row(ids, reads, types=types)
