"""Products of states and weight matrices by the faster of torch's two libraries, and with what follows them.

oneDNN, where torch was built with it, is faster than torch's usual library on processors that are not Intel's; on
Intel's it is slower, but what it computes along with a product saves a pass over memory. It is used for float32 on
the processor only, never where gradients are needed, and not for small products: a call costs 10 to 20 microseconds.
"""

import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch.nn.functional import linear, silu

_HAS_ONEDNN = hasattr(torch.ops.mkldnn, "_linear_pointwise")
_FEWEST = 1 << 22
"""Multiplications from which it is faster, measured with one thread, and with two on busy cores."""


def product(states: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    """States (..., width) times a weight (outputs, width), plus a bias (outputs), as torch does but for rounding."""
    if _usual_is_faster() or not _can_use_onednn(states, weight):
        return linear(states, weight, bias)
    outputs: torch.Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return outputs


def gated_product(states: torch.Tensor, gates: torch.nn.Linear, ups: torch.nn.Linear) -> torch.Tensor:
    """silu(states * gates) * (states * ups), each matrix (outputs, width) with its bias if it has one."""
    if not _can_use_onednn(states, gates.weight):
        return silu(linear(states, gates.weight, gates.bias), inplace=True).mul_(linear(states, ups.weight, ups.bias))
    gate = torch.ops.mkldnn._linear_pointwise(states, gates.weight, gates.bias, "swish", [], "")
    outputs: torch.Tensor = torch.ops.mkldnn._linear_pointwise.binary(states, gate, ups.weight, ups.bias, "mul")
    return outputs


def use_in(network: torch.nn.Module) -> None:
    transposed: Any = getattr(sys.modules.get("transformers.pytorch_utils"), "Conv1D", None)
    ours = transposed and _transposed(transposed)
    for part in network.modules():
        if type(part) is torch.nn.Linear:
            part.__class__ = _Linear
        elif type(part) is transposed:
            part.__class__ = ours


class _Linear(torch.nn.Linear):
    def forward(self, states: torch.Tensor) -> torch.Tensor:
        return product(states, self.weight, self.bias)


@cache
def _transposed(usual: Any) -> Any:
    """A class for linear layers with a transposed weight, as in GPT-2; transformers' own is `usual`."""

    def forward(self: torch.nn.Linear, states: torch.Tensor) -> torch.Tensor:
        return product(states, self.weight.T, self.bias)

    return type("_Transposed", (usual,), {"forward": forward})


def _can_use_onednn(states: torch.Tensor, weight: torch.Tensor) -> bool:
    plain = all(one.dtype == torch.float32 and one.device.type == "cpu" for one in (states, weight))
    large = states.numel() * weight.shape[0] >= _FEWEST
    return large and plain and _HAS_ONEDNN and not torch.is_grad_enabled()


@cache
def _usual_is_faster() -> bool:
    """Whether this is an Intel processor, for which torch's usual library (MKL) was written."""
    about = Path("/proc/cpuinfo")
    processor = about.read_text("utf-8", "replace") if about.is_file() else platform.processor()
    return "GenuineIntel" in processor and bool(torch.backends.mkl.is_available())  # type: ignore[no-untyped-call]
