"""Products of states and weight matrices by oneDNN, where torch was built with it.

It is faster than torch's usual library on processors that this one was not written for. Only float32 on the
processor is computed so, never where gradients are wanted, and not where the product is small: calling oneDNN costs
10 to 20 microseconds.
"""

from __future__ import annotations

import torch
from torch.nn.functional import linear
from transformers.pytorch_utils import Conv1D

_HAS_ONEDNN = hasattr(torch.ops.mkldnn, "_linear_pointwise")
_FEWEST = 1 << 22
"""Multiplications from which it is the faster one: measured with one thread, and with two on busy cores."""


def product(states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """States (..., width) times a weight (outputs, width), plus a bias (outputs), as torch does but for rounding."""
    small = states.numel() * weight.shape[0] < _FEWEST
    if small or not _HAS_ONEDNN or torch.is_grad_enabled() or not _are_plain(states, weight):
        return linear(states, weight, bias)
    found: torch.Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return found


def use_in(network: torch.nn.Module) -> None:
    """Let a network's linear layers compute their products so."""
    for part in network.modules():
        if type(part) is torch.nn.Linear:
            part.__class__ = _Linear
        elif type(part) is Conv1D:
            part.__class__ = _Transposed


class _Linear(torch.nn.Linear):
    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return product(states, self.weight, self.bias)


class _Transposed(Conv1D):  # type: ignore[misc]
    """A linear layer whose weight is the other way round, as in GPT-2."""

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return product(states, self.weight.T, self.bias)


def _are_plain(*tensors: torch.Tensor) -> bool:
    return all(one.dtype == torch.float32 and one.device.type == "cpu" for one in tensors)
