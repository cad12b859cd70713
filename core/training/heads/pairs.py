"""Pairs of texts as token ids in the layout that the model's tokenizer has, in batches of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.errors import ModelError
from core.models.tokenizer import PairFrame, Tokenizer

_BLOCK = 50
"""Batches whose pairs are sorted by length together: they are padded little and yet differ in every epoch."""
_CUT_TOGETHER = 20_000


class LabelledPair(NamedTuple):
    """Two texts and the place of their label."""

    first: str
    second: str
    label: int


class Batch(NamedTuple):
    """Ids, which of them are no padding, their types (or None), each (rows, tokens); labels (rows)."""

    ids: Tensor
    seen: Tensor
    types: Tensor | None
    labels: Tensor

    def arguments(self) -> dict[str, Tensor | None]:
        """What a network is given."""
        return {"input_ids": self.ids, "attention_mask": self.seen, "token_type_ids": self.types}


def layout(tokenizer: Tokenizer) -> PairFrame:
    """The tokenizer's own layout of pairs; one that puts nothing between two texts gets an end symbol there.

    ModelError if there is no such symbol either: nothing would tell where the second text begins.
    """
    frame = tokenizer.pair
    if frame.between:
        return frame
    if tokenizer.end is None:
        raise ModelError("the base's tokenizer has no symbol to put between two texts; no head can stand on it.")
    return replace(frame, between=(tokenizer.end,))


@dataclass(frozen=True)
class Encoded:
    """Framed pairs: ids and types of each, its label, and how many were left out because they are too long."""

    ids: list[tuple[int, ...]]
    types: list[tuple[int, ...]]
    labels: list[int]
    pad: int
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.ids)

    def batch(self, places: Sequence[int]) -> Batch:
        """These pairs, padded on the right."""
        longest = max(len(self.ids[place]) for place in places)
        ids = np.full((len(places), longest), self.pad, dtype=np.int64)
        seen, types = np.zeros_like(ids), np.zeros_like(ids)
        for row, place in enumerate(places):
            n = len(self.ids[place])
            ids[row, :n], seen[row, :n] = self.ids[place], 1
            types[row, : len(self.types[place])] = self.types[place]
        typed = torch.from_numpy(types) if self.types[places[0]] else None
        labels = torch.tensor([self.labels[place] for place in places])
        return Batch(torch.from_numpy(ids), torch.from_numpy(seen), typed, labels)

    def in_order(self, rows: int) -> Iterator[list[int]]:
        """All places in batches of so many, by length."""
        order = sorted(range(len(self)), key=lambda place: len(self.ids[place]))
        for start in range(0, len(order), rows):
            yield order[start : start + rows]

    def epoch(self, rows: int, seed: int) -> list[list[int]]:
        """The batches of one pass, in an order that the seed determines."""
        chance = np.random.default_rng(seed)
        order = chance.permutation(len(self)).tolist()
        size = rows * _BLOCK
        blocks = (order[start : start + size] for start in range(0, len(order), size))
        batches = [
            batch[start : start + rows]
            for batch in (sorted(block, key=lambda place: len(self.ids[place])) for block in blocks)
            for start in range(0, len(batch), rows)
        ]
        return [batches[place] for place in chance.permutation(len(batches))]


def encoded(examples: Sequence[LabelledPair], tokenizer: Tokenizer, longest: int) -> Encoded:
    """Examples as framed ids; those of more than `longest` tokens are left out and counted."""
    frame = layout(tokenizer)
    ids, types, labels = [], [], []
    for start in range(0, len(examples), _CUT_TOGETHER):
        part = examples[start : start + _CUT_TOGETHER]
        texts = list(dict.fromkeys(text for example in part for text in example[:2]))
        cuts = tokenizer.backend.encode_batch_fast(texts, add_special_tokens=False)
        cut = {text: tuple(one.ids) for text, one in zip(texts, cuts, strict=True)}
        for first, second, label in part:
            row, kinds = frame.row(cut[first], cut[second])
            if len(row) <= longest:
                ids.append(row)
                types.append(kinds)
                labels.append(label)
    return Encoded(ids, types, labels, tokenizer.pad, len(examples) - len(ids))
