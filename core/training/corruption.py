"""The two tasks of an encoder-decoder: to continue a text, and to fill its gaps (Raffel et al. 2020).

Of each text in a row (`<s> t1 .. tn </s>`) a source for the encoder and a target for the decoder are made, X standing
for the sentinels `<extra_id_0>` and so on:

    continue    source  t1 .. tk X0 </s>                 target  X0 tk+1 .. tn </s>
    fill        source  t1 X0 t4 .. X1 .. tn </s>        target  X0 t2 t3 X1 .. </s>

Two thirds of the texts are continued (two thirds of these from nothing, as a sentence is scored), the others have
gaps, a third of them one gap only. The decoder reads its target behind the start symbol `<pad>`. Neither is ever
longer than the text with its two marks, so rows keep their length.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.training.objectives import Batch, allowed_attention
from core.training.packing import Rows
from core.training.tokenizer import BOS_ID, EOS_ID, PAD_ID, SENTINELS

CONTINUED = 2 / 3
FROM_NOTHING = 2 / 3
ONE_GAP = 1 / 3
HIDDEN = 0.2
"""The share of a text that its gaps hide, where there are several."""

LONGEST_GAP = 3

Ids = list[int]


@dataclass
class _Sides:
    """Rows of ids (B, T) and the number of the text that each token belongs to, from 1; 0 is padding."""

    ids: NDArray[np.int64]
    unit: NDArray[np.int64]

    @classmethod
    def empty(cls, shape: tuple[int, ...]) -> _Sides:
        return cls(np.full(shape, PAD_ID, dtype=np.int64), np.zeros(shape, dtype=np.int64))

    def put(self, row: int, at: int, ids: Ids, number: int) -> int:
        self.ids[row, at : at + len(ids)] = ids
        self.unit[row, at : at + len(ids)] = number
        return at + len(ids)


def continued(ids: Ids, first_sentinel: int, chance: np.random.Generator) -> tuple[Ids, Ids]:
    """A text's beginning as the source, its rest as the target."""
    cut = 0 if chance.random() < FROM_NOTHING else int(chance.integers(0, len(ids)))
    return [*ids[:cut], first_sentinel, EOS_ID], [first_sentinel, *ids[cut:], EOS_ID]


def with_gaps(ids: Ids, first_sentinel: int, chance: np.random.Generator) -> tuple[Ids, Ids]:
    """A text with stretches of it replaced by sentinels, and those stretches; no two gaps touch."""
    wanted = 1 if chance.random() < ONE_GAP else max(1, round(HIDDEN * len(ids) / 2))
    starts = np.sort(chance.choice(len(ids), size=min(wanted, SENTINELS, len(ids)), replace=False))
    source: Ids = []
    target: Ids = []
    at, gaps = 0, 0
    for start in starts.tolist():
        if start < at + (gaps > 0):
            continue
        stop = min(len(ids), start + int(chance.integers(1, LONGEST_GAP + 1)))
        source += [*ids[at:start], first_sentinel + gaps]
        target += [first_sentinel + gaps, *ids[start:stop]]
        at, gaps = stop, gaps + 1
    return [*source, *ids[at:], EOS_ID], [*target, EOS_ID]


def seq2seq_batch(rows: Rows, first_sentinel: int, seed: int, device: torch.device) -> Batch:
    """Sources, decoder inputs and targets of rows (B, T); the tasks depend on the seed alone."""
    chance = np.random.default_rng(seed)
    sources, inputs, targets = (_Sides.empty(rows.shape) for _ in range(3))
    for row, ids in enumerate(rows.astype(np.int64)):
        begins = np.flatnonzero(ids == BOS_ID)
        ends = np.flatnonzero(ids == EOS_ID)
        at_source = at_target = 0
        for number, (begin, end) in enumerate(zip(begins, ends, strict=True), start=1):
            text = ids[begin + 1 : end].tolist()
            corrupt = continued if chance.random() < CONTINUED else with_gaps
            source, target = corrupt(text, first_sentinel, chance)
            at_source = sources.put(row, at_source, source, number)
            inputs.put(row, at_target, [PAD_ID, *target[:-1]], number)
            at_target = targets.put(row, at_target, target, number)
    reads = np.flatnonzero(targets.unit)
    encoder, decoder = (torch.from_numpy(side.unit).to(device) for side in (sources, inputs))
    return Batch(
        (
            torch.from_numpy(sources.ids).to(device),
            torch.from_numpy(inputs.ids).to(device),
            allowed_attention(encoder, encoder),
            allowed_attention(decoder, decoder, causal=True),
            allowed_attention(decoder, encoder),
        ),
        torch.from_numpy(reads).to(device),
        torch.from_numpy(targets.ids.ravel()[reads]).to(device),
    )
