"""Logits into log-probabilities and what else was asked for, a bounded number of positions at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.models import Loaded
from core.types import Extras
from core.words import separates

Readings = dict[str, NDArray[np.generic]]
"""What a network says at some output positions: one row per position in each array, in nats.

`logprobs` always; `boundary_logprobs`, `punctuation_logprobs`, `eos_logprobs`, `entropies`, `ranks`, `top_ids` and
`top_logprobs` when asked for: see `core.types.TokenScores`.
"""
NO_TARGET = -1
"""Stands for the predicted token where the output is read and no token follows: after the last one."""
_BUFFER_BYTES = 64 << 20


@dataclass(frozen=True, slots=True, eq=False)
class WordEnds:
    """Ids of the tokens that end a word by beginning with white space, and with a punctuation mark."""

    space: torch.Tensor
    punctuation: torch.Tensor


def word_ends(network: Loaded) -> WordEnds | None:
    """The tokens that end a word; None where the vocabulary does not mark white space."""
    texts = network.tokenizer.texts()
    if texts is None:
        return None
    space = [id for id, text in enumerate(texts) if text[:1].isspace()]
    punctuation = [id for id, text in enumerate(texts) if separates(text)]
    return WordEnds(*(torch.tensor(ids, dtype=torch.long, device=network.device) for ids in (space, punctuation)))


class Measure:
    """Reads log-probabilities, and the extras asked for, from a network's logits."""

    def __init__(self, network: Loaded, extras: Extras, ends: WordEnds | None) -> None:
        self._extras = extras
        self._end = network.tokenizer.end
        self._ends = ends

    def __call__(self, logits: torch.Tensor, reads: Sequence[tuple[int, int, int]]) -> Readings:
        """What the logits (batch, length, vocabulary) say at each row, column and predicted token of `reads`."""
        places = torch.as_tensor(reads, device=logits.device)
        step = max(1, _BUFFER_BYTES // (4 * logits.shape[-1]))
        parts: list[Readings] = []
        for start in range(0, len(reads), step):
            rows, columns, targets = places[start : start + step].unbind(1)
            measures = self._some(logits[rows, columns].float(), targets)
            parts.append({name: values.cpu().numpy() for name, values in measures})
        return joined(parts)

    def _some(self, logits: torch.Tensor, targets: torch.Tensor) -> Iterator[tuple[str, torch.Tensor]]:
        """The measures of positions whose logits (positions, vocabulary) are in single precision."""
        total = logits.logsumexp(-1)
        chosen = logits.gather(1, targets.clamp(min=0)[:, None]).squeeze(1)
        yield "logprobs", (chosen - total).double().masked_fill_(targets == NO_TARGET, torch.nan)
        if self._extras.boundary:
            nothing = torch.full_like(total, torch.nan, dtype=torch.float64)
            masses = (
                [nothing] * 2
                if self._ends is None
                else [
                    (logits[:, ids].logsumexp(-1) - total).double()
                    for ids in (self._ends.space, self._ends.punctuation)
                ]
            )
            yield "boundary_logprobs", masses[0]
            yield "punctuation_logprobs", masses[1]
            yield "eos_logprobs", nothing if self._end is None else (logits[:, self._end] - total).double()
        if self._extras.rank:
            yield "ranks", 1 + (logits > chosen[:, None]).sum(-1)
        if self._extras.top:
            values, ids = logits.topk(min(self._extras.top, logits.shape[-1]))
            yield "top_ids", ids
            yield "top_logprobs", (values - total[:, None]).double()
        if self._extras.entropy:
            shares = logits - total[:, None]
            yield "entropies", -(shares.exp() * shares).nan_to_num_(0).sum(-1).double()


def joined(parts: Sequence[Readings]) -> Readings:
    """Readings one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def picked(readings: Readings, places: Sequence[int]) -> Readings:
    """The readings at these places, in this order."""
    return {name: values[list(places)] for name, values in readings.items()}
