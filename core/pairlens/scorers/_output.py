"""A network's logits at some positions, a stretch of the vocabulary at a time.

All logits of a batch together would take more memory than the network itself. Of a body's last layer, other positions
matter as keys and values of the last attention only: what follows it sees chosen positions. The tanh form of GELU
takes few passes over memory; transformers' formulas take eight.
"""

import math
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.functional import gelu

from pairlens.models.products import product

_STRETCH_BYTES = 4 << 20
_FEWEST = 1_024
"""Tokens of the vocabulary in a stretch, if there are so many: products of narrower matrices are slow."""


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
        logits = product(states, self.weight[part], None if self.bias is None else self.bias[part])
        if self.scale != 1:
            logits *= self.scale
        return logits if self.cap is None else logits.div_(self.cap).tanh_().mul_(self.cap)


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


def output_layer(network: Any) -> OutputLayer | None:
    layer = layer_of(network)
    if not isinstance(layer, torch.nn.Linear) or not layer.weight.is_floating_point() or layer.weight.is_meta:
        return None
    config = network.config
    scale = (getattr(config, "logit_scale", None) or 1) / (getattr(config, "logits_scaling", None) or 1)
    return OutputLayer(layer.weight, layer.bias, scale, getattr(config, "final_logit_softcapping", None))


def layer_of(network: Any) -> torch.nn.Module | None:
    try:
        layer = network.get_output_embeddings()
    except (NotImplementedError, AttributeError):
        return None  # a model's own code may not have it
    return layer if isinstance(layer, torch.nn.Module) else None


class _Reached(Exception):  # noqa: N818 - it is no error
    """A trial run has reached the attention."""


class _Current(threading.local):
    """The positions that this thread's forward pass reads, and the attention's inputs in its trial run."""

    where: tuple[torch.Tensor, torch.Tensor] | None = None
    given: tuple[tuple[Any, ...], dict[str, Any]] | None = None


class LastLayer:
    """Drops states after the attention of a layer, which can be any module that calls its attention once.

    Before the layer runs on the positions that are read, a trial run on all captures the attention's inputs.
    """

    def __init__(self, layer: torch.nn.Module, attention: torch.nn.Module) -> None:
        self._current = _Current()
        self._hooks = [
            layer.register_forward_pre_hook(self._narrow, with_kwargs=True),
            attention.register_forward_pre_hook(self._widen, with_kwargs=True),
            attention.register_forward_hook(self._pick),
        ]

    @contextmanager
    def at(self, positions: torch.Tensor) -> Iterator[None]:
        rows = torch.arange(len(positions), device=positions.device)
        self._current.where = rows[:, None], positions
        try:
            yield
        finally:
            self._current.where = self._current.given = None

    def remove(self) -> None:
        for hook in self._hooks:
            hook.remove()

    def _narrow(self, layer: torch.nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if self._current.where is None:
            return None
        self._current.given = None
        try:
            layer.forward(*inputs, **named)
        except _Reached:
            return (inputs[0][self._current.where], *inputs[1:]), named
        raise RuntimeError("The layer does not call its attention.")

    def _widen(self, _: torch.nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if self._current.where is None:
            return None
        if self._current.given is None:
            self._current.given = inputs, named
            raise _Reached
        return self._current.given

    def _pick(self, _: torch.nn.Module, inputs: tuple[Any, ...], output: Any) -> Any:  # noqa: ARG002 - a hook's form
        if self._current.where is None:
            return None
        if isinstance(output, tuple):
            return (output[0][self._current.where], *output[1:])
        return output[self._current.where]


def last_layer(network: Any) -> LastLayer | None:
    """The last of a network's equal layers; None if it does not look like one of attention, then feed-forward."""
    stacks = [part for part in network.modules() if isinstance(part, torch.nn.ModuleList) and len(part) > 1]
    if not stacks:
        return None
    layer = max(stacks, key=lambda stack: sum(weight.numel() for weight in stack.parameters()))[-1]
    queries = next((name for name, part in layer.named_modules() if isinstance(part, torch.nn.Linear)), "")
    holder = queries.rpartition(".")[0]
    return LastLayer(layer, layer.get_submodule(holder)) if holder else None


_LINEAR = math.sqrt(8 / math.pi)
_CUBIC = 0.044715 * _LINEAR


def fuse(network: torch.nn.Module) -> None:
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
