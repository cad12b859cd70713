"""A network's logits at some positions, a stretch of the vocabulary at a time.

All logits of a batch together would take more memory than the network itself, and more time to write than to compute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from core.models.products import product

_STRETCH_BYTES = 4 << 20
_FEWEST = 1_024
"""Tokens of the vocabulary in a stretch, if there are so many: products of narrower matrices are slow."""


@dataclass(frozen=True, slots=True, eq=False)
class Logits:
    """Logits (positions, vocabulary), read from the first stretch of the vocabulary to the last.

    `states` are the logits that the network computed itself or, with a `layer`, a body's last states (positions,
    width), of which this output layer makes them.
    """

    states: torch.Tensor
    layer: OutputLayer | None = None

    @property
    def device(self) -> torch.device:
        """The device on which they are computed."""
        return self.states.device

    def stretches(self) -> Iterator[tuple[int, torch.Tensor]]:
        """The first id of each stretch and its logits in single precision, which may be overwritten."""
        vocabulary = len(self.layer.weight) if self.layer else self.states.shape[1]
        step = min(vocabulary, max(_FEWEST, _STRETCH_BYTES // (4 * max(1, len(self.states)))))
        for start in range(0, vocabulary, step):
            part = slice(start, start + step)
            if self.layer:
                yield start, self.layer.logits(self.states, part).float()
            else:
                yield start, self.states[:, part].to(torch.float32, copy=True)


@dataclass(frozen=True, slots=True, eq=False)
class OutputLayer:
    """The matrix that makes logits of states, and the scale and soft cap that the network then applies.

    Cohere multiplies, Granite divides, Gemma 2 caps (`cap * tanh(logit / cap)`).
    """

    weight: torch.Tensor
    bias: torch.Tensor | None
    scale: float = 1.0
    cap: float | None = None

    def logits(self, states: torch.Tensor, part: slice) -> torch.Tensor:
        """The logits of these ids as the network gives them."""
        logits = product(states, self.weight[part], None if self.bias is None else self.bias[part])
        if self.scale != 1:
            logits *= self.scale
        return logits if self.cap is None else logits.div_(self.cap).tanh_().mul_(self.cap)


def output_layer(network: Any) -> OutputLayer | None:
    """A network's output layer, as its config describes it; None if it is of an unknown kind, or not in memory."""
    layer = layer_of(network)
    if not isinstance(layer, torch.nn.Linear) or not layer.weight.is_floating_point() or layer.weight.is_meta:
        return None
    config = network.config
    scale = (getattr(config, "logit_scale", None) or 1) / (getattr(config, "logits_scaling", None) or 1)
    return OutputLayer(layer.weight, layer.bias, scale, getattr(config, "final_logit_softcapping", None))


def layer_of(network: Any) -> torch.nn.Module | None:
    """The last layer of a network, whose output are the logits."""
    try:
        layer = network.get_output_embeddings()
    except (NotImplementedError, AttributeError):
        return None  # a model's own code may not have it
    return layer if isinstance(layer, torch.nn.Module) else None
