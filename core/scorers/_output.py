"""What a network says at some positions, a stretch of the vocabulary at a time.

All logits of a batch together would take more memory than the network itself, and more time to write than to compute.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from core.scorers._products import product

_STRETCH_BYTES = 4 << 20
_FEWEST = 1_024
"""Tokens of the vocabulary in a stretch, if there are so many: products of narrower matrices are slow."""


class Logits(Protocol):
    """Logits (positions, vocabulary) that are read from the first stretch of the vocabulary to the last."""

    @property
    def device(self) -> torch.device:
        """Where they are computed."""

    @property
    def shape(self) -> tuple[int, int]:
        """Positions and size of the vocabulary."""

    def stretches(self) -> Iterator[tuple[int, torch.Tensor]]:
        """The first id of each stretch and its logits in single precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """Logits that the network computed itself."""

    logits: torch.Tensor

    @property
    def device(self) -> torch.device:
        """See `Logits`."""
        return self.logits.device

    @property
    def shape(self) -> tuple[int, int]:
        """See `Logits`."""
        return self.logits.shape[0], self.logits.shape[1]

    def stretches(self) -> Iterator[tuple[int, torch.Tensor]]:
        """See `Logits`."""
        step = _step(*self.shape)
        for start in range(0, self.shape[1], step):
            yield start, self.logits[:, start : start + step].float()


@dataclass(frozen=True, slots=True, eq=False)
class Projected:
    """Logits that an output layer makes of a body's last states (positions, width)."""

    states: torch.Tensor
    layer: OutputLayer

    @property
    def device(self) -> torch.device:
        """See `Logits`."""
        return self.states.device

    @property
    def shape(self) -> tuple[int, int]:
        """See `Logits`."""
        return len(self.states), len(self.layer.weight)

    def stretches(self) -> Iterator[tuple[int, torch.Tensor]]:
        """See `Logits`."""
        positions, vocabulary = self.shape
        step = _step(positions, vocabulary)
        for start in range(0, vocabulary, step):
            part = slice(start, start + step)
            bias = None if self.layer.bias is None else self.layer.bias[part]
            yield start, self.layer.finished(product(self.states, self.layer.weight[part], bias)).float()


@dataclass(frozen=True, slots=True, eq=False)
class OutputLayer:
    """The matrix that makes logits of states, and what the network does to these: scale them, then bend them.

    Cohere scales, Granite divides, Gemma 2 bends (`cap * tanh(logit / cap)`).
    """

    weight: torch.Tensor
    bias: torch.Tensor | None
    scale: float = 1.0
    cap: float | None = None

    def finished(self, logits: torch.Tensor) -> torch.Tensor:
        """Logits as the network gives them, in place."""
        if self.scale != 1:
            logits *= self.scale
        return logits if self.cap is None else logits.div_(self.cap).tanh_().mul_(self.cap)


def output_layer(network: Any) -> OutputLayer | None:
    """A network's output layer, as its config describes it; None if it is none that is known."""
    layer = layer_of(network)
    if not isinstance(layer, torch.nn.Linear) or not layer.weight.is_floating_point():
        return None
    config = network.config
    scale = (getattr(config, "logit_scale", None) or 1) / (getattr(config, "logits_scaling", None) or 1)
    return OutputLayer(layer.weight, layer.bias, scale, getattr(config, "final_logit_softcapping", None))


def layer_of(network: Any) -> torch.nn.Module | None:
    """The last layer of a network that says how likely each token is."""
    try:
        layer = network.get_output_embeddings()
    except (NotImplementedError, AttributeError):
        return None  # a model's own code need not say
    return layer if isinstance(layer, torch.nn.Module) else None


def _step(positions: int, vocabulary: int) -> int:
    return min(vocabulary, max(_FEWEST, _STRETCH_BYTES // (4 * max(1, positions))))
