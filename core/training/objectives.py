"""Inputs and targets of a batch: isolation, masking, the two kinds of loss.

Letters in shapes: B rows, T tokens in a row, N predictions, D width, V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from core.training.packing import BOS_ID, EOS_ID, PAD_ID


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
