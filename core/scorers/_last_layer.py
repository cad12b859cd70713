"""A body's last layer at the positions that are read only.

Other positions count for these as keys and values of the last attention, and for nothing after it: its output
projection, where it stands outside, the feed-forward part, norms and the head's own layers see chosen positions only.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


class _Reached(Exception):  # noqa: N818 - it is no error
    """A trial run has come to the attention."""


class _Asked(threading.local):
    """What this thread's forward pass reads, and what the attention was given in its trial run."""

    where: tuple[torch.Tensor, torch.Tensor] | None = None
    given: tuple[tuple[Any, ...], dict[str, Any]] | None = None


class LastLayer:
    """Drops states behind the attention of a layer, which can be any module that calls its attention once.

    Before the layer runs on the positions that are read, a trial run on all of them finds out what its attention is
    given, be it normed or not.
    """

    def __init__(self, layer: torch.nn.Module, attention: torch.nn.Module) -> None:
        self._asked = _Asked()
        self._hooks = [
            layer.register_forward_pre_hook(self._narrow, with_kwargs=True),
            attention.register_forward_pre_hook(self._widen, with_kwargs=True),
            attention.register_forward_hook(self._pick),
        ]

    @contextmanager
    def at(self, positions: torch.Tensor) -> Iterator[None]:
        """Of each row, only these positions (rows, number) leave the layer, in this order."""
        rows = torch.arange(len(positions), device=positions.device)
        self._asked.where = rows[:, None], positions
        try:
            yield
        finally:
            self._asked.where = self._asked.given = None

    def remove(self) -> None:
        """Let the layer be what it was."""
        for hook in self._hooks:
            hook.remove()

    def _narrow(self, layer: torch.nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if self._asked.where is None:
            return None
        self._asked.given = None
        try:
            layer.forward(*inputs, **named)
        except _Reached:
            return (inputs[0][self._asked.where], *inputs[1:]), named
        raise RuntimeError("The layer does not call its attention.")

    def _widen(self, _: torch.nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if self._asked.where is None:
            return None
        if self._asked.given is None:
            self._asked.given = inputs, named
            raise _Reached
        return self._asked.given

    def _pick(self, _: torch.nn.Module, inputs: tuple[Any, ...], output: Any) -> Any:  # noqa: ARG002 - a hook's form
        if self._asked.where is None:
            return None
        if isinstance(output, tuple):
            return (output[0][self._asked.where], *output[1:])
        return output[self._asked.where]


def last_layer(network: Any) -> LastLayer | None:
    """The last of a network's equal layers; None if it does not look like one of attention, then feed-forward."""
    stacks = [part for part in network.modules() if isinstance(part, torch.nn.ModuleList) and len(part) > 1]
    if not stacks:
        return None
    layer = max(stacks, key=lambda stack: sum(weight.numel() for weight in stack.parameters()))[-1]
    queries = next((name for name, part in layer.named_modules() if isinstance(part, torch.nn.Linear)), "")
    holder = queries.rpartition(".")[0]
    return LastLayer(layer, layer.get_submodule(holder)) if holder else None
