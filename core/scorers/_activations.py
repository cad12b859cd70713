"""The tanh form of GELU in few passes over memory: transformers' formulas take eight."""

from __future__ import annotations

import math
import sys

import torch
from torch.nn.functional import gelu

_LINEAR = math.sqrt(8 / math.pi)
_CUBIC = 0.044715 * _LINEAR


def fuse(network: torch.nn.Module) -> None:
    """Replace transformers' formulas for this GELU by a faster one; results differ by rounding only."""
    if (activations := sys.modules.get("transformers.activations")) is None:
        return
    forms = (activations.NewGELUActivation, activations.FastGELUActivation, activations.GELUTanh)
    for part in list(network.modules()):
        for name, child in part.named_children():
            if type(child) in forms:
                setattr(part, name, _TanhGELU())


class _TanhGELU(torch.nn.Module):
    def forward(self, states: torch.Tensor) -> torch.Tensor:
        if torch.is_grad_enabled() or states.device.type != "cpu" or states.dtype != torch.float32:
            return gelu(states, approximate="tanh")
        # (1 + tanh(x)) / 2 is sigmoid(2 x), which processors compute in less than half the time of torch's tanh.
        share = states.square().mul_(_CUBIC).add_(_LINEAR).mul_(states).sigmoid_()
        return share.mul_(states)
