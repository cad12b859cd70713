"""Optimizers and the schedules of their rates: Muon for the matrices of the layers, AdamW for everything else.

Muon (Jordan et al. 2024): momentum whose update is made nearly orthogonal by five Newton-Schulz
steps. AdamW: Loshchilov and Hutter 2019.
"""

import math
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import torch
from torch import Tensor, nn

from pairlens.training.recipe import TrainingRecipe

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
ITERATIONS = 5
MOMENTUM = 0.95


def orthogonal(matrices: Tensor) -> Tensor:
    """Nearly orthogonal matrices with the row and column spaces of (K, rows, columns)."""
    a, b, c = NEWTON_SCHULZ
    wide = matrices.shape[1] <= matrices.shape[2]
    x = matrices.bfloat16() if wide else matrices.bfloat16().mT
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(ITERATIONS):
        gram = x @ x.mT
        x = a * x + (b * gram + c * (gram @ gram)) @ x
    result: Tensor = x if wide else x.mT
    return result.float()


class Muon(torch.optim.Optimizer):
    """Orthogonalised momentum; matrices of one shape are updated together."""

    def __init__(self, matrices: Iterable[nn.Parameter], rate: float, weight_decay: float) -> None:
        super().__init__(
            sorted(matrices, key=lambda matrix: matrix.shape), {"lr": rate, "weight_decay": weight_decay}
        )

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        if closure is not None:
            raise ValueError("Muon takes no closure")
        for group in self.param_groups:
            for _, same in groupby(group["params"], key=lambda matrix: matrix.shape):
                self.update(list(same), group["lr"], group["weight_decay"])

    def update(self, matrices: list[nn.Parameter], rate: float, decay: float) -> None:
        pushes = []
        for matrix in matrices:
            assert matrix.grad is not None
            momentum = self.state[matrix].setdefault("momentum", torch.zeros_like(matrix))
            momentum.lerp_(matrix.grad, 1 - MOMENTUM)
            pushes.append(matrix.grad.lerp(momentum, MOMENTUM))
        rows, columns = matrices[0].shape
        scale = max(1.0, rows / columns) ** 0.5
        for matrix, push in zip(matrices, orthogonal(torch.stack(pushes)), strict=True):
            matrix.mul_(1 - rate * decay).add_(push, alpha=-rate * scale)


class Optimizers:
    """Some optimizers as one, whose rates, as they are at first, follow a schedule together."""

    def __init__(self, *parts: torch.optim.Optimizer) -> None:
        self.parts = parts
        self.rates = [[group["lr"] for group in part.param_groups] for part in parts]

    def step(self, factor: float) -> None:
        for part, rates in zip(self.parts, self.rates, strict=True):
            for group, rate in zip(part.param_groups, rates, strict=True):
                group["lr"] = rate * factor
            part.step()
            part.zero_grad(set_to_none=True)

    def state_dict(self) -> list[dict[str, Any]]:
        return [part.state_dict() for part in self.parts]

    def load_state_dict(self, states: list[dict[str, Any]]) -> None:
        for part, state in zip(self.parts, states, strict=True):
            part.load_state_dict(state)


def muon_and_adam(network: nn.Module, recipe: TrainingRecipe) -> Optimizers:
    named = dict(network.named_parameters())
    matrices = [weight for name, weight in named.items() if name.endswith("_proj.weight")]
    others = [weight for name, weight in named.items() if not name.endswith("_proj.weight")]
    adam = torch.optim.AdamW(
        others, recipe.vector_rate, betas=(0.9, 0.95), weight_decay=recipe.weight_decay, foreach=True
    )
    return Optimizers(Muon(matrices, recipe.matrix_rate, recipe.weight_decay), adam)


def rate_factor(fraction: float, warm_up: float, cool_down: float) -> float:
    """1 in the middle of a run, rising from 0 in the warm-up and falling to 0 in the cool-down.

    >>> [rate_factor(f, 0.1, 0.4) for f in (0.05, 0.5, 0.8)]
    [0.5, 1.0, 0.5]
    """
    rise = fraction / warm_up if warm_up else 1.0
    fall = (1 - fraction) / cool_down if cool_down else 1.0
    return round(max(0.0, min(1.0, rise, fall)), 9)


def cosine(step: int, warm_up: int, steps: int) -> float:
    """Rising from 0 over the steps of the warm-up, then falling to 0 along half a cosine."""
    if step < warm_up:
        return step / warm_up
    return max(0.0, 0.5 * (1.0 + math.cos(math.pi * min(1.0, (step - warm_up) / max(1, steps - warm_up)))))
