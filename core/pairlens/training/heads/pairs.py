"""Pairs of texts as token ids in the layout of the model's tokenizer, split, in batches of similar length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from pairlens.errors import InputError, ModelError
from pairlens.models.loading import load_tokenizer, load_window
from pairlens.models.tokenizer import PairFrame, Tokenizer
from pairlens.training.heads import HeadRecipe
from pairlens.types import Model

_BLOCK = 50
"""Batches whose pairs are sorted by length together: little padding, yet different batches in every epoch."""
_CUT_TOGETHER = 20_000
MOST_VALIDATED = 2000
"""Most held-out pairs that a measurement reads."""


class LabelledPair(NamedTuple):
    """Two texts and the index of their label; `back` is that of the swapped texts, if these are a pair too."""

    first: str
    second: str
    label: int
    back: int | None = None

    @property
    def both(self) -> list[LabelledPair]:
        return [self] if self.back is None else [self, LabelledPair(self.second, self.first, self.back)]


class Batch(NamedTuple):
    """Ids, whether they are tokens (not padding), their types (or None), each (rows, tokens); labels (rows)."""

    ids: Tensor
    seen: Tensor
    types: Tensor | None
    labels: Tensor


def layout(tokenizer: Tokenizer) -> PairFrame:
    """The tokenizer's own layout of pairs, else an end symbol between the texts; ModelError if there is neither."""
    frame = tokenizer.pair
    if frame.between:
        return frame
    if tokenizer.end is None:
        raise ModelError("the base's tokenizer has no symbol to put between two texts; no head can stand on it.")
    return replace(frame, between=(tokenizer.end,))


@dataclass(frozen=True)
class Encoded:
    """Framed pairs: ids and types of each, its label, and the number left out for their length."""

    ids: list[tuple[int, ...]]
    types: list[tuple[int, ...]]
    labels: list[int]
    pad: int
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.ids)

    def batch(self, places: Sequence[int]) -> Batch:
        rows = [torch.tensor(self.ids[place]) for place in places]
        ids = pad_sequence(rows, batch_first=True, padding_value=self.pad)
        mask = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
        kinds = [torch.tensor(self.types[place], dtype=torch.int64) for place in places]
        types = pad_sequence(kinds, batch_first=True) if self.types[places[0]] else None
        return Batch(ids, mask, types, torch.tensor([self.labels[place] for place in places]))

    def in_order(self, rows: int) -> Iterator[list[int]]:
        """All places in batches of `rows`, by length."""
        return self._by_length(range(len(self)), rows)

    def _by_length(self, places: Iterable[int], rows: int) -> Iterator[list[int]]:
        return _cut(sorted(places, key=lambda place: len(self.ids[place])), rows)

    def epoch(self, rows: int, seed: int) -> list[list[int]]:
        """The batches of one epoch, in an order that the seed determines."""
        chance = np.random.default_rng(seed)
        blocks = _cut(chance.permutation(len(self)).tolist(), rows * _BLOCK)
        batches = [batch for block in blocks for batch in self._by_length(block, rows)]
        return [batches[place] for place in chance.permutation(len(batches))]


def _cut(places: Sequence[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(places), size):
        yield list(places[start : start + size])


def split(examples: Sequence[LabelledPair], base: Model, recipe: HeadRecipe) -> tuple[Encoded, Encoded]:
    """Pairs to train on and held-out pairs, drawn with the seed; InputError if there are too few.

    Pairs of the same two texts, in either order, are on the same side: none is held out whose texts are trained on.
    """
    alike: dict[frozenset[str], list[LabelledPair]] = {}
    for example in examples:
        alike.setdefault(frozenset(example[:2]), []).append(example)
    groups = list(alike.values())
    chance = torch.Generator().manual_seed(recipe.seed)
    order = torch.randperm(len(groups), generator=chance).tolist()
    held = min(MOST_VALIDATED, max(1, round(recipe.validation_share * len(groups))))
    longest, tokenizer = min(recipe.longest, load_window(base)), load_tokenizer(base)
    training, validation = (
        encoded(
            [direction for place in part for pair in groups[place] for direction in pair.both], tokenizer, longest
        )
        for part in (order[held:], order[:held])
    )
    if not len(training) or not len(validation):
        raise InputError(f"Pairs of at most {longest} tokens: {len(examples):,}, too few to train a head.")
    return training, validation


def encoded(examples: Sequence[LabelledPair], tokenizer: Tokenizer, longest: int) -> Encoded:
    """Examples as framed ids; those of more than `longest` tokens are left out and counted."""
    frame = layout(tokenizer)
    ids, types, labels = [], [], []
    for start in range(0, len(examples), _CUT_TOGETHER):
        part = examples[start : start + _CUT_TOGETHER]
        texts = list(dict.fromkeys(text for example in part for text in example[:2]))
        cuts = tokenizer.backend.encode_batch_fast(texts, add_special_tokens=False)
        cut = {text: tuple(one.ids) for text, one in zip(texts, cuts, strict=True)}
        for first, second, label, _ in part:
            row, kinds = frame.row(cut[first], cut[second])
            if len(row) <= longest:
                ids.append(row)
                types.append(kinds)
                labels.append(label)
    return Encoded(ids, types, labels, tokenizer.pad, len(examples) - len(ids))
