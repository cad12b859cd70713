"""Deltas of two thin matrices beside a network's own, which stay unchanged (Hu et al. 2022, LoRA)."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn
from transformers.pytorch_utils import Conv1D

from core.errors import InputError

_MATRICES = (nn.Linear, Conv1D)


class LowRank(nn.Module):
    """A matrix with a delta of rank r: `down` (in, r), `up` (r, out); the delta is zero at first."""

    def __init__(self, inner: Any, rank: int) -> None:
        super().__init__()
        self.inner = inner
        rows, columns = inner.weight.shape
        width, out = (columns, rows) if isinstance(inner, nn.Linear) else (rows, columns)
        self.down = nn.Parameter(torch.randn(width, rank) / math.sqrt(width))
        self.up = nn.Parameter(torch.zeros(rank, out))

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) to (..., out)."""
        return torch.as_tensor(self.inner(x) + (x @ self.down) @ self.up)


def add_deltas(base: nn.Module, rank: int) -> None:
    """Freeze a network except for its vectors, and give its matrices deltas to train; at rank 0 train all of it."""
    if not rank:
        return
    for parameter in base.parameters():
        parameter.requires_grad_(parameter.ndim == 1)
    for name, part in list(base.named_modules()):
        if isinstance(part, _MATRICES):
            if rank > (most := min(part.weight.shape)):
                raise InputError(
                    f"A rank of {rank:,} is more than the base's matrices have ({most}): take less, or 0 for all of "
                    "it."
                )
            parent, _, own = name.rpartition(".")
            setattr(base.get_submodule(parent), own, LowRank(part, rank))


def deltas(base: nn.Module, before: dict[str, Tensor]) -> dict[str, Tensor]:
    """The learned deltas, under the names of `core.models.heads`; `before` has the initial trained weights."""
    found: dict[str, Tensor] = {}
    for name, part in base.named_modules():
        if isinstance(part, LowRank):
            found |= {f"delta.{name}.weight.down": part.down, f"delta.{name}.weight.up": part.up}
    for name, parameter in base.named_parameters():
        if name in before:
            found[f"delta.{name.replace('.inner.', '.')}"] = parameter - before[name]
    return {name: tensor.detach().cpu() for name, tensor in found.items()}


def trained_weights(base: nn.Module) -> dict[str, Tensor]:
    """Copies of the base's own weights that will be trained, by name."""
    thin = {id(delta) for part in base.modules() if isinstance(part, LowRank) for delta in (part.down, part.up)}
    return {
        name: parameter.detach().clone()
        for name, parameter in base.named_parameters()
        if parameter.requires_grad and id(parameter) not in thin
    }
