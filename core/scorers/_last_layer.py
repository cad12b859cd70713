"""A body's last layer at the positions that are read only.

Other positions matter as keys and values of the last attention and not after it: its output projection, if that is
outside, the feed-forward part, norms and the head's own layers see chosen positions only.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


class _Reached(Exception):  # noqa: N818 - it is no error
    """A trial run has reached the attention."""


class _Current(threading.local):
    """The positions that this thread's forward pass reads, and the attention's inputs in its trial run."""

    where: tuple[torch.Tensor, torch.Tensor] | None = None
    given: tuple[tuple[Any, ...], dict[str, Any]] | None = None


class LastLayer:
    """Drops states after the attention of a layer, which can be any module that calls its attention once.

    Before the layer runs on the positions that are read, a trial run on all of them captures the attention's inputs,
    normalised or not.
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
        """Of each row, only these positions (rows, number) leave the layer, in this order."""
        rows = torch.arange(len(positions), device=positions.device)
        self._current.where = rows[:, None], positions
        try:
            yield
        finally:
            self._current.where = self._current.given = None

    def remove(self) -> None:
        """Restore the layer."""
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
