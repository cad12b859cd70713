"""Small trial runs that show how a network may be run: its config does not tell whether padding moves numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from pairlens.models import Loaded
from pairlens.scorers._output import Logits
from pairlens.scorers._trie import Ids, Input, Place, Tree, plant

HARMLESS = 1e-5
"""Nats by which padding may move a log-probability, beyond what batches of any kind do by rounding."""
SAME = 1e-3
"""Nats by which an output layer may differ for single positions: a wrong one would be off by far more."""
TREE_TOKENS = 128
"""In a longer shared row, attention costs more than longer rows gain."""
_SAME_SHARED = 1e-4
_ROUNDINGS = 64
"""The tolerance in multiples of one rounding error, for networks in half precision."""
_STEM, _BRANCH = 8, 15
"""Tokens that all texts of the shared row begin with, and that each continues with."""
_FEWEST_SHARED = 32
REFUSALS = (RuntimeError, ValueError, LookupError, TypeError, AttributeError)
"""The errors of code that expects other shapes."""
_WINDOWS = frozenset({"sliding_window", "attention_chunk_size", "window_size", "local_attention", "attention_window"})
_BY_LENGTH = frozenset({"dynamic", "longrope"})
"""Kinds of rotary positions that depend on the longest row of a batch, once that is beyond the original window."""


def rows(network: Loaded) -> tuple[Input, Input]:
    if network.head in ("classifier", "next-sentence"):
        return _pairs(network)
    long = _drawn(network, min(9, network.window))
    short = long[: max(1, len(long) // 3)]
    if network.head == "seq2seq":
        return Input(short, short), Input(long, long)
    return Input(short), Input(long)


def distance(logits: torch.Tensor, others: torch.Tensor) -> float:
    """The largest difference between log-probabilities."""
    return float((logits.float().log_softmax(-1) - others.float().log_softmax(-1)).abs().max())


def reach(config: Any) -> int:
    """The number of tokens up to which neither attention windows nor positions by the longest row matter."""
    return min(_limits(config.to_dict()), default=1 << 30)


def together(network: Loaded, most: int, forward: Callable[[Sequence[Input | Tree], Sequence[Place]], Logits]) -> int:
    """The most tokens of rows that share a row: `most`, or 0 if sharing moves the network's numbers."""
    room = min(network.window, TREE_TOKENS, most)
    if room < _FEWEST_SHARED:
        return 0
    branch = min(_BRANCH, (room - _STEM) // 2)
    count = (room - _STEM) // branch
    drawn = _drawn(network, _STEM + count * branch)
    rows = [drawn[:_STEM] + drawn[_STEM + i * branch :][:branch] for i in range(count)]
    texts = [Input(drawn[:_STEM], row) if network.head == "seq2seq" else Input(row) for row in rows]
    (tree,) = plant(texts, room, room)
    first, *_, last = tree.paths
    (small,) = plant([first], room, room)
    places = range(_STEM + branch)
    shared = [
        *((0, tree.paths[one][place]) for one in (first, last) for place in places),
        *((1, at) for at in places),
    ]
    alone = [(row, place) for row in (0, 1, 0) for place in places]
    dtype: Any = network.module.dtype
    tolerance = max(_SAME_SHARED, _ROUNDINGS * torch.finfo(dtype).eps)
    try:
        logits = everything(forward([tree, small], shared))
    except REFUSALS:
        return 0
    return most if distance(logits, everything(forward([first, last], alone))) <= tolerance else 0


def everything(logits: Logits) -> torch.Tensor:
    return torch.cat([stretch for _, stretch in logits.stretches()], -1)


def _limits(config: Mapping[str, Any]) -> Iterator[int]:
    for name, value in config.items():
        if isinstance(value, Mapping):
            yield from _limits(value)
            if value.get("rope_type", value.get("type")) in _BY_LENGTH:
                first = value.get("original_max_position_embeddings")
                yield int(first or config.get("original_max_position_embeddings") or 1)
        elif name in _WINDOWS and isinstance(value, int) and value > 0:
            yield value


def _drawn(network: Loaded, count: int) -> Ids:
    return tuple(np.random.default_rng(0).integers(0, network.tokenizer.size, count).tolist())


def _pairs(network: Loaded) -> tuple[Input, Input]:
    plain = sorted(set(range(network.tokenizer.size)) - network.tokenizer.reserved)
    drawn: Ids = tuple(np.random.default_rng(0).choice(plain, 9).tolist())
    frame = network.tokenizer.pair
    (ids, types), (longer, longer_types) = frame.row(drawn[:2], drawn[:1]), frame.row(drawn[:5], drawn[5:])
    return Input(ids, types=types), Input(longer, types=longer_types)
