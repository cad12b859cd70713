"""The best state of a training so far, by its validation loss, in the work folder."""

from __future__ import annotations

import math
from pathlib import Path

from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import nn

FILE = "best.safetensors"
"""Weights; their loss is in the file's metadata."""


class Best:
    """Keeps the weights with the lowest loss, also across interruptions (`resumed`)."""

    def __init__(self, folder: Path, *, resumed: bool) -> None:
        self._path, self._loss = folder / FILE, math.inf
        if resumed and self._path.is_file():
            with safe_open(self._path, framework="numpy") as kept:
                self._loss = float(kept.metadata()["loss"])

    def offer(self, network: nn.Module, loss: float) -> None:
        """Keep the network's weights if their loss is the lowest."""
        if loss < self._loss:
            self._loss = loss
            part = self._path.with_name(f"{FILE}.part")
            weights = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
            save_file(weights, part, metadata={"loss": repr(loss)})
            part.replace(self._path)

    def take(self, network: nn.Module, loss: float) -> float:
        """Give the network the kept weights if their loss is below `loss`; returns the lower loss."""
        if self._loss >= loss:
            return loss
        network.load_state_dict(load_file(self._path))
        return self._loss
