"""Products of states and weight matrices by oneDNN, where torch was built with it.

On some processors it is faster than torch's default library. It is used for float32 on the processor only, never
where gradients are needed, and not for small products: a call costs 10 to 20 microseconds.
"""

from __future__ import annotations

import torch
from torch.nn.functional import linear
from transformers.pytorch_utils import Conv1D

_HAS_ONEDNN = hasattr(torch.ops.mkldnn, "_linear_pointwise")
_FEWEST = 1 << 22
"""Multiplications from which it is faster, measured with one thread, and with two on busy cores."""


def product(states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """States (..., width) times a weight (outputs, width), plus a bias (outputs), as torch does but for rounding."""
    plain = all(one.dtype == torch.float32 and one.device.type == "cpu" for one in (states, weight))
    large = states.numel() * weight.shape[0] >= _FEWEST
    if not (large and plain and _HAS_ONEDNN) or torch.is_grad_enabled():
        return linear(states, weight, bias)
    found: torch.Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return found


def use_in(network: torch.nn.Module) -> None:
    """Let a network's linear layers compute their products this way."""
    for part in network.modules():
        if type(part) is torch.nn.Linear:
            part.__class__ = _Linear
        elif type(part) is Conv1D:
            part.__class__ = _Transposed


class _Linear(torch.nn.Linear):
    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return product(states, self.weight, self.bias)


class _Transposed(Conv1D):  # type: ignore[misc]
    """A linear layer with a transposed weight, as in GPT-2."""

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return product(states, self.weight.T, self.bias)
