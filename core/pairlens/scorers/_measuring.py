"""Logits into log-probabilities and the requested extras, a stretch of the vocabulary at a time, in order."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from pairlens.models import Loaded
from pairlens.scorers._output import Logits
from pairlens.text.words import separates
from pairlens.types import Extras


class Sum(Protocol):
    def add(self, start: int, logits: torch.Tensor) -> None:
        """Take in a stretch of logits (positions, some tokens) whose first token has this id."""


class LogSum:
    """The log of the summed exponentials of logits (positions) at a temperature; the `last` may overwrite them."""

    def __init__(self, temperature: float = 1.0, *, last: bool = False) -> None:
        self._temperature, self._last = temperature, last
        self._parts: list[torch.Tensor] = []

    def add(self, start: int, logits: torch.Tensor) -> None:  # noqa: ARG002 - all of the vocabulary counts
        if self._temperature != 1:
            self._parts.append(_log_sum(logits / self._temperature))
        else:
            self._parts.append(_log_sum(logits if self._last else logits.clone()))

    @property
    def parts(self) -> torch.Tensor:
        return torch.stack(self._parts)

    @property
    def total(self) -> torch.Tensor:
        return self.parts.logsumexp(0)


def _log_sum(logits: torch.Tensor) -> torch.Tensor:
    """As logsumexp over the last dimension, in fewer passes over memory; the logits are overwritten."""
    if not logits.shape[-1]:
        return logits.logsumexp(-1)
    largest = logits.amax(-1, keepdim=True)
    shift = largest.clamp(min=torch.finfo(logits.dtype).min)  # where all are minus infinity, so is the sum
    return logits.sub_(shift).exp_().sum(-1).log_().add_(shift[:, 0])


class LogSumOf(LogSum):
    def __init__(self, ids: torch.Tensor | None) -> None:
        super().__init__()
        self._ids = ids

    def add(self, start: int, logits: torch.Tensor) -> None:
        if self._ids is None:
            padding = torch.full_like(logits[:, :1], torch.nan)
        else:
            padding = logits[:, self._ids[(self._ids >= start) & (self._ids < start + logits.shape[1])] - start]
        self._parts.append(_log_sum(padding))  # a copy


class Chosen:
    """The logits (reads) of `tokens` at the positions `places`; -inf for an id outside the vocabulary."""

    def __init__(self, places: torch.Tensor, tokens: torch.Tensor) -> None:
        self._sorted, self._order = tokens.sort()
        self._places = places[self._order]
        self.values = torch.full(places.shape, -torch.inf, device=places.device)

    def add(self, start: int, logits: torch.Tensor) -> None:
        ends = torch.tensor([start, start + logits.shape[1]], device=self._sorted.device)
        stretch = slice(*torch.searchsorted(self._sorted, ends).tolist())
        self.values[self._order[stretch]] = logits[self._places[stretch], self._sorted[stretch] - start]


class Largest:
    """The ids and the values (positions, number) of the largest logits, the largest first."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.ids, self.values = torch.empty(0), torch.empty(0)

    def add(self, start: int, logits: torch.Tensor) -> None:
        values, ids = logits.topk(min(self._number, logits.shape[1]))
        ids = ids + start
        if start:
            values, ids = torch.cat([self.values, values], -1), torch.cat([self.ids, ids], -1)
            values, order = values.topk(min(self._number, values.shape[1]))
            ids = ids.gather(-1, order)
        self.values, self.ids = values, ids


class Mean:
    """The expectation of the logits (positions) under their softmax."""

    def __init__(self, sums: LogSum) -> None:
        self._sums = sums
        self._parts: list[torch.Tensor] = []

    def add(self, start: int, logits: torch.Tensor) -> None:  # noqa: ARG002 - all of the vocabulary counts
        self._parts.append((logits.softmax(-1) * logits).nan_to_num_(0).sum(-1))

    @property
    def value(self) -> torch.Tensor:
        return (torch.stack(self._parts) * self._sums.parts.softmax(0)).sum(0)


Readings = dict[str, NDArray[np.generic]]
"""A network's output at some positions: one row per position in each array, in nats.

`logprobs` always; `boundary_logprobs`, `punctuation_logprobs`, `eos_logprobs`, `entropies`, `top_ids`,
`top_logprobs` and `tempered` (a column per temperature) on request: see `pairlens.types.TokenScores`.
"""
NO_TARGET = -1
"""The target where the output is read and no token follows: after the last one."""


Ends = dict[str, torch.Tensor | None]
"""Ids of the tokens that end a word, by a space (`boundary`) or a mark, or the text; None where nothing says so."""


def word_ends(network: Loaded) -> Ends:
    texts, end = network.tokenizer.texts(), network.tokenizer.end
    ids = {
        "boundary": None if texts is None else [id for id, text in enumerate(texts) if text[:1].isspace()],
        "punctuation": None if texts is None else [id for id, text in enumerate(texts) if separates(text)],
        "eos": None if end is None else [end],
    }
    return {
        name: None if listed is None else torch.tensor(listed, dtype=torch.long, device=network.device)
        for name, listed in ids.items()
    }


class Measure:
    def __init__(self, extras: Extras, ends: Ends) -> None:
        self._extras, self._ends = extras, ends

    @torch.inference_mode()
    def __call__(self, logits: Logits, places: Sequence[int], targets: Sequence[int]) -> Readings:
        at = torch.as_tensor(places, device=logits.device)
        target = torch.as_tensor(targets, device=logits.device)
        chosen, tempered = Chosen(at, target), {t: LogSum(t) for t in self._extras.temperatures}
        plain = LogSum(last=True)
        masses = {name: LogSumOf(ids) for name, ids in self._ends.items()}
        mean, largest = Mean(plain), Largest(self._extras.top)
        wanted: list[Sum] = [chosen, *tempered.values(), *masses.values()]
        wanted += [*[mean] * self._extras.entropy, *[largest] * (self._extras.top > 0), plain]
        for start, stretch in logits.stretches():
            for quantity in wanted:
                quantity.add(start, stretch)
        total = plain.total
        tensors = {"logprobs": chosen.values - total[at]}
        if self._extras.temperatures:
            tensors["tempered"] = torch.stack(
                [chosen.values / t - tempered[t].total[at] for t in self._extras.temperatures], -1
            )
        for values in tensors.values():
            values[target == NO_TARGET] = torch.nan
        tensors |= {f"{name}_logprobs": (mass.total - total)[at] for name, mass in masses.items()}
        if self._extras.top:
            tensors |= {"top_ids": largest.ids[at], "top_logprobs": (largest.values - total[:, None])[at]}
        if self._extras.entropy:
            tensors["entropies"] = (total - mean.value)[at]
        # Real numbers in double precision, made on the processor, since not every device has it.
        arrays = {name: values.cpu() for name, values in tensors.items()}
        return {name: (part.double() if part.is_floating_point() else part).numpy() for name, part in arrays.items()}


def joined(parts: Sequence[Readings]) -> Readings:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def picked(readings: Readings, places: Sequence[int]) -> Readings:
    return {name: values[list(places)] for name, values in readings.items()}
