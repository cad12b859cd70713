"""Many rows of tokens through a network, a token budget at a time; equal rows are run once.

Where a probe shows that a network allows it, many rows share one (`_trie`), and shared beginnings are run once, too.
Other batches have rows of similar length, padded on the right, or of equal length if padding moves this network's
numbers.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import torch

from pairlens.errors import ModelError
from pairlens.models import Loaded
from pairlens.scorers import tell
from pairlens.scorers._forward import Forward
from pairlens.scorers._measuring import Ends, Measure, Readings, joined, picked, word_ends
from pairlens.scorers._probes import TREE_TOKENS
from pairlens.scorers._trie import Ids, Input, Place, Tree, plant
from pairlens.settings import settings
from pairlens.types import Extras

Read = tuple[int, int]
"""An output position, and the token predicted there."""

_BLOCK_TOKENS = 1 << 20
"""Tokens of rows that are planned, and whose readings are held, at once."""
_MASK_TOKENS = 2_048
"""Shared rows longer than a batch are at most this long: a mask has a number per pair of tokens, here 16 MiB."""
_WORTH_SHARING = 256
"""With fewer tokens, the probe for sharing would cost more than is gained."""


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens that a network sees at once, and where its output is read (the encoder sees `ids`, the `decoder`
    answers).

    `reads` are pairs of an output position and the target id there, or NO_TARGET. `types` are as in `Input`.
    """

    ids: Ids
    reads: tuple[Read, ...]
    decoder: Ids = ()
    types: Ids = ()

    @property
    def input(self) -> Input:
        return Input(self.ids, self.decoder, self.types)


@dataclass(frozen=True, slots=True)
class Laid:
    row: Input | Tree
    reads: Mapping[Input, Iterable[Read]]

    def path(self, text: Input) -> Sequence[int]:
        return self.row.paths[text] if isinstance(self.row, Tree) else range(text.outputs)


class Batches:
    """Runs rows through a network. `budget` is the number of tokens, padding included, of one forward pass."""

    def __init__(self, network: Loaded) -> None:
        self._network = network
        self.budget = token_budget(network)
        self._forward = Forward(network)

    @property
    def about(self) -> Mapping[str, object]:
        device = str(self._network.device)
        return {"device": device, "token_budget": self.budget, "threads": torch.get_num_threads()}

    def read(self, texts: Iterable[Sequence[Row]], extras: Extras, total: int = 0) -> Iterator[Readings]:
        """The readings of each text's rows, joined; in order, some texts at a time. `total` reads are expected."""
        measure = Measure(extras, self._word_ends if extras.boundary else {})
        block: list[Sequence[Row]] = []
        size = done = 0
        if total:
            tell(0, total)
        for rows in texts:
            block.append(rows)
            size += sum(row.input.tokens for row in rows)
            if size >= _BLOCK_TOKENS:
                yield from self._read_block(block, measure, done, total)
                done += _reads(block)
                block, size = [], 0
        yield from self._read_block(block, measure, done, total)

    def at_once(
        self, rows: Sequence[Input], places: Sequence[Place], targets: Sequence[int], extras: Extras
    ) -> Readings:
        """The readings at these places of one forward pass over these rows, for a target at each."""
        measure = Measure(extras, self._word_ends if extras.boundary else {})
        return measure(self._forward(rows, places), range(len(places)), targets)

    @cached_property
    def _word_ends(self) -> Ends:
        return word_ends(self._network)

    def _read_block(self, texts: list[Sequence[Row]], measure: Measure, done: int, total: int) -> Iterator[Readings]:
        wanted: dict[Input, dict[Read, int]] = {}
        for row in chain.from_iterable(texts):
            reads = wanted.setdefault(row.input, {})
            for read in row.reads:
                reads.setdefault(read, len(reads))
        readings: dict[Input, Readings] = {}
        n_reads = _reads(texts)
        for batch in self._batches(wanted):
            readings.update(self._run(batch, measure))
            if total:
                tell(done + n_reads * len(readings) / len(wanted), total)
        for rows in texts:
            yield joined(
                [picked(readings[row.input], [wanted[row.input][read] for read in row.reads]) for row in rows]
            )

    def _batches(self, wanted: Mapping[Input, Iterable[Read]]) -> Iterator[list[Laid]]:
        size = sum(one.tokens for one in wanted)
        together = 0
        if size >= _WORTH_SHARING and not settings().batch_texts:
            together = min(self._forward.together, max(self.budget, min(self._network.window, _MASK_TOKENS)))
        sharing = [one for one in wanted if one.outputs <= together]
        trees = [*plant(sharing, min(TREE_TOKENS, together), together)]
        for laid in full((tree for tree in trees if len(tree.paths) > 1), self.budget):
            yield [Laid(tree, {path: wanted[path] for path in tree.paths}) for tree in laid]
        shared = {path for tree in trees if len(tree.paths) > 1 for path in tree.paths}
        alone = [one for one in wanted if one not in shared]
        for batch in alike(alone, self.budget, self._forward.reach if self._forward.pads else 0):
            yield [Laid(one, {one: wanted[one]}) for one in batch]

    def _run(self, batch: list[Laid], measure: Measure) -> Iterator[tuple[Input, Readings]]:
        wanted_reads: dict[tuple[int, int, int], int] = {}
        order: list[tuple[Input, list[int]]] = []
        for number, laid in enumerate(batch):
            for text, reads in laid.reads.items():
                path = laid.path(text)
                wanted = [(number, path[position], target) for position, target in reads]
                order.append((text, [wanted_reads.setdefault(one, len(wanted_reads)) for one in wanted]))
        places: dict[Place, int] = {}
        which = [places.setdefault((number, position), len(places)) for number, position, _ in wanted_reads]
        try:
            logits = self._forward([laid.row for laid in batch], [*places])
            readings = measure(logits, which, [target for _, _, target in wanted_reads])
        except torch.OutOfMemoryError:
            readings, logits = {}, None  # what holds memory is let go before the next attempt
        if readings:
            yield from ((text, picked(readings, reads)) for text, reads in order)
        else:
            yield from self._run_in_halves(batch, measure)

    def _run_in_halves(self, batch: list[Laid], measure: Measure) -> Iterator[tuple[Input, Readings]]:
        (first, *others) = batch
        if not others and not isinstance(first.row, Tree):
            raise ModelError(
                f"'{self._network.name}' does not fit into the memory of {self._network.device} with a text of "
                f"{first.row.tokens} tokens; choose a smaller window or another device (PAIRLENS_DEVICE=cpu)."
            )
        if not others:
            batch = [Laid(text, {text: reads}) for text, reads in first.reads.items()]
        self.budget = max(1, self.budget // 2)
        middle = len(batch) // 2
        for half in filter(None, (batch[:middle], batch[middle:])):
            yield from self._run(half, measure)


def _reads(texts: Iterable[Sequence[Row]]) -> int:
    return sum(len(row.reads) for rows in texts for row in rows)


_BUDGETS = {"cpu": 1_024, "mps": 2_048, "cuda": 16_384}
"""Tokens of a forward pass by device: about as fast per token as any other number, as measured."""
_WIDTH = 384
_STATES_PER_TOKEN = 32
"""Memory of a token on a graphics card, in vectors as wide as the network's states."""


def token_budget(network: Loaded) -> int:
    """PAIRLENS_TOKEN_BUDGET, else the usual power of two, on a graphics card for half of the free memory at most."""
    budget = settings().token_budget or _BUDGETS[network.device.type]
    if settings().token_budget or network.device.type != "cuda":
        return budget
    free, _ = torch.cuda.mem_get_info(network.device)
    module: Any = network.module
    width = getattr(module.config, "hidden_size", _WIDTH)
    most = int(free) // int(2 * _STATES_PER_TOKEN * width * module.dtype.itemsize)
    return min(budget, 1 << max(6, most.bit_length() - 1))


def full(trees: Iterable[Tree], budget: int) -> Iterator[list[Tree]]:
    batch: list[Tree] = []
    for tree in sorted(trees, key=lambda tree: -tree.tokens):
        if batch and (len(batch) + 1) * batch[0].tokens > budget:
            yield batch
            batch = []
        batch.append(tree)
    if batch:
        yield batch


def alike(inputs: Iterable[Input], budget: int, reach: int) -> Iterator[list[Input]]:
    """Rows in batches, the longest first, so that one that does not fit into memory shows at once.

    Rows of at most `reach` tokens may be padded, if a batch would otherwise be less than a quarter full. Longer ones
    share a batch only with rows of their own length.
    """
    batch: list[Input] = []
    decoder = 0
    for one in sorted(inputs, key=lambda one: (-len(one.ids), _apart(one, reach), one.ids, -len(one.decoder))):
        longest = max(decoder, len(one.decoder))
        n_tokens = (len(batch) + 1) * (len(batch[0].ids) + longest) if batch else 0
        is_full = n_tokens > budget or len(batch) == settings().batch_texts
        if batch and (is_full or _is_too_short(one, batch, budget, reach)):
            yield batch
            batch, longest = [], len(one.decoder)
        batch.append(one)
        decoder = longest
    if batch:
        yield batch


def _is_too_short(one: Input, batch: list[Input], budget: int, reach: int) -> bool:
    """Whether a row that is shorter than the batch's first should begin another batch."""
    same = len(one.ids) == len(batch[0].ids) and len(one.decoder) == len(batch[0].decoder)
    apart = _apart(batch[0], reach) < 0 or _apart(one, reach) < 0
    return not same and (apart or 4 * sum(row.tokens for row in batch) >= budget)


def _apart(one: Input, reach: int) -> int:
    """The order of a row that must not be padded among rows with as many encoder tokens; 0 if it may be."""
    return -len(one.decoder) - 1 if max(len(one.ids), len(one.decoder)) > reach else 0
