"""Many rows of tokens through a network, a token budget at a time.

Rows that are equal are run once. Batches hold rows of similar length, padded on the right, unless a probe shows that
padding moves this network's numbers: then they hold rows of equal length only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import torch

from core.errors import ModelError
from core.models import Loaded
from core.scorers._forward import Forward, Ids, Input
from core.scorers._measuring import Measure, Readings, WordEnds, joined, picked, word_ends
from core.settings import settings
from core.types import Extras

Read = tuple[int, int]
"""An output position, and the token predicted there."""

_BLOCK_TOKENS = 1 << 20
"""How many tokens of rows are planned, and their readings held, at once."""
_LOGIT_BYTES = {"cpu": 1 << 28, "mps": 1 << 28, "cuda": 1 << 31}
_MOST_TOKENS = {"cpu": 2_048, "mps": 4_096, "cuda": 32_768}


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens that a network sees at once, and where its output is read.

    `reads` are pairs of an output position and the id of the token predicted there, or NO_TARGET. In an
    encoder-decoder, the encoder sees `ids` and the output is the decoder's. `types` are as in `Input`.
    """

    ids: Ids
    reads: tuple[Read, ...]
    decoder: Ids = ()
    types: Ids = ()

    @property
    def input(self) -> Input:
        """What the network sees."""
        return Input(self.ids, self.decoder, self.types)


class Batches:
    """Runs rows through a network. `budget` is the number of tokens, padding included, of one forward pass."""

    def __init__(self, network: Loaded) -> None:
        self._network = network
        self.budget = settings().token_budget or _budget(network)
        self._forward = Forward(network)

    @property
    def about(self) -> Mapping[str, object]:
        """Device, token budget and threads, as they are now."""
        device = str(self._network.device)
        return {"device": device, "token_budget": self.budget, "threads": torch.get_num_threads()}

    def read(self, texts: Iterable[Sequence[Row]], extras: Extras) -> Iterator[Readings]:
        """What the network says about each text's rows, joined; in order, some texts at a time."""
        measure = Measure(self._network, extras, self._word_ends if extras.boundary else WordEnds(None, None))
        block: list[Sequence[Row]] = []
        size = 0
        for rows in texts:
            block.append(rows)
            size += sum(row.input.tokens for row in rows)
            if size >= _BLOCK_TOKENS:
                yield from self._read_block(block, measure)
                block, size = [], 0
        yield from self._read_block(block, measure)

    @cached_property
    def _word_ends(self) -> WordEnds:
        return word_ends(self._network)

    def _read_block(self, texts: list[Sequence[Row]], measure: Measure) -> Iterator[Readings]:
        wanted: dict[Input, dict[Read, int]] = {}
        for row in chain.from_iterable(texts):
            reads = wanted.setdefault(row.input, {})
            for read in row.reads:
                reads.setdefault(read, len(reads))
        found: dict[Input, Readings] = {}
        for batch in self._batches(list(wanted)):
            distinct = [Row(one.ids, tuple(wanted[one]), one.decoder, one.types) for one in batch]
            found.update(self._run(distinct, measure))
        for rows in texts:
            yield joined([picked(found[row.input], [wanted[row.input][read] for read in row.reads]) for row in rows])

    def _batches(self, inputs: list[Input]) -> Iterator[list[Input]]:
        """Inputs in batches, the longest first: what does not fit into memory shows at once."""
        inputs.sort(key=lambda one: (-len(one.ids), one.ids, -len(one.decoder), one.decoder))
        groups: dict[object, list[Input]] = {}
        for one in inputs:
            groups.setdefault(None if self._forward.pads else (len(one.ids), len(one.decoder)), []).append(one)
        for group in groups.values():
            batch: list[Input] = []
            decoder = 0
            for one in group:
                decoder = max(decoder, len(one.decoder))
                if batch and self._is_full(len(batch), len(batch[0].ids) + decoder):
                    yield batch
                    batch, decoder = [], len(one.decoder)
                batch.append(one)
            yield batch

    def _is_full(self, rows: int, longest: int) -> bool:
        """Whether one more row would be too much for a batch whose rows then have this length."""
        return (rows + 1) * longest > self.budget or rows == settings().batch_texts

    def _run(self, rows: list[Row], measure: Measure) -> Iterator[tuple[Input, Readings]]:
        places = [(place, position) for place, row in enumerate(rows) for position, _ in row.reads]
        targets = [target for row in rows for _, target in row.reads]
        try:
            readings = measure(self._forward([row.input for row in rows], places), targets)
        except torch.OutOfMemoryError:
            readings = {}  # what the exception holds in memory is let go before the next attempt
        if not readings:
            yield from self._run_in_halves(rows, measure)
            return
        start = 0
        for row in rows:
            stop = start + len(row.reads)
            yield row.input, {name: values[start:stop] for name, values in readings.items()}
            start = stop

    def _run_in_halves(self, rows: list[Row], measure: Measure) -> Iterator[tuple[Input, Readings]]:
        if len(rows) == 1:
            raise ModelError(
                f"'{self._network.name}' does not fit into the memory of {self._network.device} with a text of "
                f"{rows[0].input.tokens} tokens; choose a smaller window or another device (PAIRLENS_DEVICE=cpu)."
            )
        self.budget = max(1, self.budget // 2)
        middle = len(rows) // 2
        yield from self._run(rows[:middle], measure)
        yield from self._run(rows[middle:], measure)


def _budget(network: Loaded) -> int:
    """Tokens per forward pass: a power of two that keeps the logits within bounds, so that runs can be repeated."""
    device = network.device.type
    most = min(_MOST_TOKENS[device], _LOGIT_BYTES[device] // (4 * network.tokenizer.size))
    return 1 << max(6, most.bit_length() - 1)
