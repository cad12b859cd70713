"""Which rows share a batch of at most a budget of tokens, padding included."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.scorers._input import Input
from core.scorers._trie import Tree
from core.settings import settings


def full(trees: Iterable[Tree], budget: int) -> Iterator[list[Tree]]:
    """Trees in batches, the largest first."""
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

    Rows of at most `reach` tokens may be padded, and are if a batch would otherwise be less than a quarter full: that
    is enough for fast products. Longer ones share a batch only with rows of their own length.
    """
    batch: list[Input] = []
    decoder = 0
    for one in sorted(inputs, key=lambda one: (-len(one.ids), _apart(one, reach), one.ids, -len(one.decoder))):
        longest = max(decoder, len(one.decoder))
        if batch and (_is_full(batch, longest, budget) or _is_too_short(one, batch, budget, reach)):
            yield batch
            batch, longest = [], len(one.decoder)
        batch.append(one)
        decoder = longest
    if batch:
        yield batch


def _is_full(batch: list[Input], decoder: int, budget: int) -> bool:
    rows = len(batch) + 1
    return rows * (len(batch[0].ids) + decoder) > budget or rows - 1 == settings().batch_texts


def _is_too_short(one: Input, batch: list[Input], budget: int, reach: int) -> bool:
    """Whether a row that is shorter than the batch's first should begin another batch."""
    same = len(one.ids) == len(batch[0].ids) and len(one.decoder) == len(batch[0].decoder)
    apart = _apart(batch[0], reach) < 0 or _apart(one, reach) < 0
    return not same and (apart or 4 * sum(row.tokens for row in batch) >= budget)


def _apart(one: Input, reach: int) -> int:
    """The order of a row that must not be padded among rows with as many encoder tokens; 0 if it may be."""
    return -len(one.decoder) - 1 if max(len(one.ids), len(one.decoder)) > reach else 0
