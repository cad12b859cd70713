"""Inputs and targets of a batch: isolation, masking, the two kinds of loss, and the tasks of an encoder-decoder.

Letters in shapes: B rows, T tokens in a row, N predictions, D width, V vocabulary.

An encoder-decoder continues a text or fills its gaps (Raffel et al. 2020). Of each text in a row
(`<s> t1 .. tn </s>`) a source for the encoder and a target for the decoder are made, X standing for the sentinels
`<extra_id_0>` and so on:

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
from torch import Tensor
from torch.nn import functional

from core.training.packing import Rows
from core.training.tokenizer import BOS_ID, EOS_ID, PAD_ID, SENTINELS


@dataclass(frozen=True)
class Batch:
    """The network's arguments, and `targets` (N), read at the flat positions `reads` (N) of B x T."""

    inputs: tuple[Tensor, ...]
    reads: Tensor
    targets: Tensor


def unit_positions(ids: Tensor) -> Tensor:
    """Positions (B, T) that start again from 0 at every `<s>`."""
    at = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    starts = torch.where(ids == BOS_ID, at, 0)
    return at - starts.cummax(1).values


def unit_numbers(ids: Tensor) -> Tensor:
    """The number of the unit of its row that each token of (B, T) belongs to, from 1; padding is 0."""
    return (ids == BOS_ID).cumsum(1) * (ids != PAD_ID)


def allowed_attention(queries: Tensor, keys: Tensor, *, causal: Tensor | bool = False) -> Tensor:
    """(B, 1, T, S) from units (B, T) and (B, S): 0 where the query may see the key, minus infinity elsewhere.

    Units do not see each other. Padding sees padding, or everything, which keeps the softmax finite. With `causal`,
    for all rows or of shape (B, 1, 1) for each, queries do not see later keys.
    """
    same = queries[:, :, None] == keys[:, None, :]
    if causal is not False:
        same = same & (torch.ones_like(same[0]).tril() | ~torch.as_tensor(causal))
    same = same | ~same.any(dim=2, keepdim=True)
    return torch.where(same, 0.0, float("-inf")).unsqueeze(1)


def causal_batch(rows: Tensor) -> Batch:
    """Next-token prediction of every token of each unit, `</s>` included, from rows (B, T)."""
    ahead = functional.pad(rows[:, 1:], (0, 1), value=PAD_ID)
    reads = ((rows != PAD_ID) & (rows != EOS_ID)).flatten().nonzero().squeeze(1)
    unit = unit_numbers(rows)
    allowed = allowed_attention(unit, unit, causal=True)
    return Batch((rows, unit_positions(rows), allowed), reads, ahead.flatten()[reads])


def masked_batch(
    rows: Tensor, share: float, mask_id: int, chance: torch.Generator, causal_share: float = 0.0
) -> Batch:
    """Mask `share` of the word tokens of rows (B, T); each is predicted up to twice.

    Once at its own place (masked language modelling, Devlin et al. 2019) and, where the token
    before it is not masked, once at the place before (masked next-token prediction, BehnamGhader
    et al. 2024). One head serves both. The first `causal_share` of the rows are not masked but
    read from left to right, as by `causal_batch` (Charpentier and Samuel 2024).
    """
    causal = torch.arange(len(rows), device=rows.device)[:, None] < round(causal_share * len(rows))
    word = (rows != PAD_ID) & (rows != EOS_ID) & (rows != BOS_ID)
    draw = torch.rand(rows.shape, generator=chance).to(rows.device)
    hidden = word & (draw < share) & ~causal
    own = hidden.flatten().nonzero().squeeze(1)
    before = own[~hidden.flatten()[own - 1]] - 1
    each = ((rows != PAD_ID) & (rows != EOS_ID) & causal).flatten().nonzero().squeeze(1)
    targets, unit = rows.flatten(), unit_numbers(rows)
    allowed = allowed_attention(unit, unit, causal=causal[:, :, None])
    return Batch(
        (torch.where(hidden, mask_id, rows), unit_positions(rows), allowed),
        torch.cat([own, before, each]),
        torch.cat([targets[own], targets[before + 1], targets[each + 1]]),
    )


def prediction_loss(hidden: Tensor, table: Tensor, reads: Tensor, targets: Tensor) -> Tensor:
    """Mean negative log-probability in nats; hidden (B, T, D), table (V, D), reads/targets (N)."""
    states = hidden.flatten(0, 1)[reads]
    logits = functional.linear(states, table).float()
    return functional.cross_entropy(logits, targets)


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
