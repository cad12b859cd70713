"""One forward pass: rows of tokens in, logits at single positions out."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from core.models import Loaded

Ids = tuple[int, ...]
Place = tuple[int, int]
"""A row and a position in it."""

_HARMLESS = 1e-5
"""Nats by which padding may move a log-probability, beyond what batches of any kind do by rounding."""
_SAME = 1e-3
"""Nats by which an output layer may differ for single positions: a wrong one would be off by far more."""


class _Chosen(threading.local):
    """The positions that this thread's forward pass sends through the output layer; None for all."""

    places: tuple[torch.Tensor, torch.Tensor] | None = None


class Forward:
    """A network that is asked about single positions of rows padded on the right.

    Its output layer, which can cost as much as all others, then sees those positions only, unless a probe shows that
    this network wants whole rows. `pads` says whether rows of different length may share a batch.
    """

    def __init__(self, network: Loaded) -> None:
        self._network = network
        self._chosen = _Chosen()
        self._picks = False
        short, long = _probes(network)
        alone, padded = self._whole([short])[0], self._whole([short, long])[0, : len(short)]
        rounding = _distance(self._whole([short, short])[0], alone)
        self.pads = _distance(padded, alone) <= _HARMLESS + 2 * rounding
        layer = _output_layer(network.module)
        if isinstance(layer, torch.nn.Module):
            layer.register_forward_pre_hook(self._pick)
            self._picks = self._picks_rightly([short, long], _SAME + 2 * rounding)

    def __call__(self, rows: Sequence[Ids], places: Sequence[Place]) -> torch.Tensor:
        """Logits (places, vocabulary) at each place."""
        where, position = torch.as_tensor(places, device=self._network.device).unbind(1)
        if not self._picks:
            return self._whole(rows)[where, position]
        self._chosen.places = where, position
        try:
            return self._whole(rows)
        finally:
            self._chosen.places = None

    def _pick(self, _: torch.nn.Module, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if self._chosen.places is None:
            return None
        return (inputs[0][self._chosen.places], *inputs[1:])

    def _whole(self, rows: Sequence[Ids]) -> torch.Tensor:
        """Logits (rows, longest, vocabulary), or of the chosen places only."""
        longest = max(map(len, rows))
        ids = np.full((len(rows), longest), self._network.tokenizer.pad, dtype=np.int64)
        seen = np.zeros_like(ids)
        for place, row in enumerate(rows):
            ids[place, : len(row)] = row
            seen[place, : len(row)] = 1
        device = self._network.device
        mask = None if seen.all() else torch.from_numpy(seen).to(device)
        with torch.inference_mode():
            output = self._network.module(input_ids=torch.from_numpy(ids).to(device), attention_mask=mask)
        return torch.as_tensor(output.logits)

    def _picks_rightly(self, rows: Sequence[Ids], tolerance: float) -> bool:
        """Whether the output layer says the same about single positions as about whole rows."""
        places = [(place, position) for place, row in enumerate(rows) for position in range(len(row))][::-1]
        expected = self(rows, places)
        self._picks = True
        try:
            picked = self(rows, places)
        except (RuntimeError, ValueError, IndexError, TypeError):
            return False  # code between body and output that counts on whole rows
        return picked.shape == expected.shape and _distance(picked, expected) <= tolerance


def _output_layer(module: Any) -> object:
    try:
        return module.get_output_embeddings()
    except (NotImplementedError, AttributeError):
        return None  # a model's own code need not say


def _probes(network: Loaded) -> tuple[Ids, Ids]:
    """A short row and a longer one, of tokens drawn with a fixed seed."""
    drawn = np.random.default_rng(0).integers(0, network.tokenizer.size, min(9, network.window))
    long = tuple(drawn.tolist())
    return long[: max(1, len(long) // 3)], long


def _distance(logits: torch.Tensor, others: torch.Tensor) -> float:
    """The largest difference between log-probabilities."""
    return float((logits.float().log_softmax(-1) - others.float().log_softmax(-1)).abs().max())
