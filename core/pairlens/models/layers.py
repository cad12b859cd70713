"""A causal network's layers: the states that pass between them, read or replaced while it runs.

A state is a vector per token. The residual stream is read at the input of the first layer (layer 0: the embeddings,
with whatever the network adds to them) and at the output of each layer (1, 2, ...). What a layer's attention and its
feed-forward part (`mlp`) add to the stream are states of layers 1, 2, ...

Nothing is known of architectures. The layers are the largest list of modules; a probe shows that with all states of
the last one replaced the network gives the other text's output, and that replacing nothing changes nothing. Attention
and feed-forward part are the two modules inside a layer whose outputs add up, with its input, to its output; the one
that runs first is the attention. Letters in shapes: B rows, T tokens in a row, D width.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from pairlens.errors import ModelError
from pairlens.models.loading import Loaded

RESIDUAL, ATTENTION, MLP = ("residual", "attention", "mlp")
_SAME = 1e-4
"""Nats by which outputs that must be equal may differ by rounding, in single precision."""
_ADDS_UP = 1e-3
"""By what part of what a layer adds the sum of its two parts may differ from it."""
_UNEXPECTED = (RuntimeError, ValueError, LookupError, TypeError, AttributeError)
"""The errors of hooks that find other inputs or outputs than states."""
_PROBED = 5
"""Tokens of the probe's rows."""

Site = tuple[str, int]
"""A component and a layer."""


class Put(NamedTuple):
    """States (n, D) that replace those of `rows` (n) at `positions` (n)."""

    rows: Tensor
    positions: Tensor
    states: Tensor


class _Current(threading.local):
    read: dict[Site, Tensor] | None = None
    component: str = RESIDUAL
    put: Mapping[Site, Put] | None = None
    shape: tuple[int, int] = (0, 0)


class Layers:
    """The `count` layers of a network. ModelError, with the reason, for one that cannot be opened in this way."""

    def __init__(self, network: Loaded) -> None:
        self._network, self._current = network, _Current()
        stack = _stack(network)
        self.count = len(stack)
        hooks: list[Any] = [stack[0].register_forward_pre_hook(self._enter, with_kwargs=True)]
        hooks += [part.register_forward_hook(self._at(RESIDUAL, n)) for n, part in enumerate(stack, start=1)]
        try:
            # Two rows of tokens, all different, with a fixed seed.
            size = network.tokenizer.size
            width = min(_PROBED, network.window, size // 2)
            drawn = torch.randperm(size, generator=torch.Generator().manual_seed(0))[: 2 * width]
            ids = drawn.view(2, width).to(network.device)
            self._check(ids)
            parts = self._parts(stack, ids)
        except BaseException as error:
            for hook in hooks:
                hook.remove()
            if isinstance(error, _UNEXPECTED):
                raise ModelError(
                    f"'{network.name}' cannot be opened: its layers are not called as those of other networks."
                ) from error
            raise
        self._has_parts = all(parts)
        for number, pair in enumerate(parts if self._has_parts else (), start=1):
            for component, part in zip((ATTENTION, MLP), pair, strict=True):
                part.register_forward_hook(self._at(component, number))

    def sites(self, component: str) -> list[Site]:
        """Where a component has states, the lowest layer first; ModelError if it cannot be told apart here."""
        if component != RESIDUAL and not self._has_parts:
            raise ModelError(
                f"In '{self._network.name}' no two parts of a layer add up to what it adds: attention and mlp cannot "
                "be told apart. Take the component residual."
            )
        return [(component, layer) for layer in range(component != RESIDUAL, self.count + 1)]

    @contextmanager
    def reading(self, component: str = RESIDUAL) -> Iterator[dict[Site, Tensor]]:
        """A component's states (B, T, D) by site, complete once the network has run inside."""
        states: dict[Site, Tensor] = {}
        self._current.read, self._current.component = states, component
        try:
            yield states
        finally:
            self._current.read = None

    @contextmanager
    def putting(self, put: Mapping[Site, Put]) -> Iterator[None]:
        self._current.put = put
        try:
            yield
        finally:
            self._current.put = None

    def _enter(self, _: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
        states = inputs[0] if inputs else named["hidden_states"]
        self._current.shape = tuple(states.shape[:2])
        changed = self._seen((RESIDUAL, 0), states)
        return ((changed, *inputs[1:]), named) if inputs else (inputs, {**named, "hidden_states": changed})

    def _at(self, *site: Any) -> Any:
        def hook(_: nn.Module, __: Any, output: Any) -> Any:
            if isinstance(output, tuple):
                return (self._seen(site, output[0]), *output[1:])
            return self._seen(site, output)

        return hook

    def _seen(self, site: Site, states: Tensor) -> Tensor:
        """The states that go on from here. Some layers flatten rows and tokens into one dimension."""
        put = (self._current.put or {}).get(site)
        read = self._current.read if self._current.component == site[0] else None
        if read is None and put is None:
            return states
        changed = states.clone(memory_format=torch.contiguous_format)
        by_row = changed if changed.dim() == 3 else changed.view(*self._current.shape, -1)
        if read is not None:
            if site in read:
                raise ModelError(f"'{self._network.name}' runs a layer more than once: its states have no one place.")
            read[site] = by_row.clone()
        if put is not None:
            by_row[put.rows.to(states.device), put.positions.to(states.device)] = put.states.to(states)
        return changed

    def _run(self, ids: Tensor) -> Tensor:
        with torch.inference_mode():
            output: Any = self._network.module(input_ids=ids)
        return torch.as_tensor(output.logits).float().log_softmax(-1)

    def _check(self, ids: Tensor) -> None:
        """ModelError unless the last layer's states, and nothing else, make the output."""
        plain = self._run(ids)
        with self.reading() as states:
            read = self._run(ids)
        rows, positions = torch.meshgrid(*map(torch.arange, ids.shape), indexing="ij")
        last = states.get((RESIDUAL, self.count))
        if last is None or len(states) != self.count + 1 or last.shape[:2] != ids.shape:
            raise ModelError(f"'{self._network.name}' does not pass one state per token through all of its layers.")
        put = Put(rows.flatten(), positions.flatten(), last.flip(0).flatten(0, 1))
        with self.putting({(RESIDUAL, self.count): put}):
            swapped = self._run(ids)
        module: Any = self._network.module
        allowed = max(_SAME, 64 * torch.finfo(module.dtype).eps)
        moved = [float((one - other).abs().max()) for one, other in ((read, plain), (swapped, plain.flip(0)))]
        if not max(moved) <= allowed or float((swapped - plain).abs().max()) <= allowed:
            raise ModelError(
                f"'{self._network.name}' cannot be opened: with all states of its last layer replaced by those of "
                "another text, it does not give that text's output."
            )

    def _parts(self, stack: nn.ModuleList, ids: Tensor) -> list[tuple[nn.Module, ...]]:
        """Each layer's attention and feed-forward part; empty where no two modules fit."""
        outputs: list[dict[nn.Module, Tensor]] = [{} for _ in stack]

        def keep(number: int, part: nn.Module, _: Any, output: Any) -> None:
            states = output[0] if isinstance(output, tuple) and output else output
            if isinstance(states, Tensor) and states.numel() == ids.numel() * width and states.shape[-1] == width:
                outputs[number][part] = states.reshape(*ids.shape, width).clone()

        with self.reading() as states:
            self._run(ids)
        width = states[RESIDUAL, 0].shape[-1]
        inside = [(n, part) for n, layer in enumerate(stack) for part in layer.modules() if part is not layer]
        hooks = [part.register_forward_hook(partial(keep, n)) for n, part in inside]
        try:
            self._run(ids)
        finally:
            for hook in hooks:
                hook.remove()
        return [
            _pair(tensor, states[RESIDUAL, number], states[RESIDUAL, number + 1])
            for number, tensor in enumerate(outputs)
        ]


def _stack(network: Loaded) -> nn.ModuleList:
    stacks = [part for part in network.module.modules() if isinstance(part, nn.ModuleList) and len(part)]
    if not stacks:
        raise ModelError(f"'{network.name}' has no list of layers: it cannot be looked into.")
    return max(stacks, key=lambda stack: sum(weight.numel() for weight in stack.parameters()))


def _pair(outputs: Mapping[nn.Module, Tensor], before: Tensor, after: Tensor) -> tuple[nn.Module, ...]:
    """The two modules whose outputs make `after` of `before`, in the order in which they ran."""
    added = after - before
    allowed = _ADDS_UP * added.abs().max() + 16 * torch.finfo(after.dtype).eps * after.abs().max()
    for (one, first), (other, second) in combinations(outputs.items(), 2):
        if (first.to(added) + second.to(added) - added).abs().max() <= allowed:
            return one, other
    return ()
