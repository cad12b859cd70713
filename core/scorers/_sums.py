"""Numbers over a whole vocabulary, gathered stretch by stretch in order and complete after the last one."""

from __future__ import annotations

from typing import Protocol

import torch


class Sum(Protocol):
    """Something that is gathered from logits."""

    def add(self, start: int, logits: torch.Tensor) -> None:
        """Take in a stretch of logits (positions, some tokens) whose first token has this id."""


class LogSum:
    """The logarithm of the summed exponentials of logits (positions), divided by a temperature first.

    With `last` it may overwrite the logits, which saves memory and time: nothing may read them afterwards.
    """

    def __init__(self, temperature: float = 1.0, *, last: bool = False) -> None:
        self._temperature, self._last = temperature, last
        self._parts: list[torch.Tensor] = []

    def add(self, start: int, logits: torch.Tensor) -> None:  # noqa: ARG002 - all of the vocabulary counts
        """Take in a stretch."""
        if self._temperature != 1:
            self._parts.append(_log_sum(logits / self._temperature))
        else:
            self._parts.append(_log_sum(logits if self._last else logits.clone()))

    @property
    def parts(self) -> torch.Tensor:
        """The same for each stretch (stretches, positions)."""
        return torch.stack(self._parts)

    @property
    def total(self) -> torch.Tensor:
        """The sum."""
        return self.parts.logsumexp(0)


def _log_sum(logits: torch.Tensor) -> torch.Tensor:
    """As logsumexp over the last dimension, in fewer passes over memory; the logits are overwritten."""
    if not logits.shape[-1]:
        return logits.logsumexp(-1)
    largest = logits.amax(-1, keepdim=True)
    shift = largest.clamp(min=torch.finfo(logits.dtype).min)  # where all are minus infinity, so is the sum
    return logits.sub_(shift).exp_().sum(-1).log_().add_(shift[:, 0])


class LogSumOf(LogSum):
    """The same over the tokens with these ids; NaN without ids."""

    def __init__(self, ids: torch.Tensor | None) -> None:
        super().__init__()
        self._ids = ids

    def add(self, start: int, logits: torch.Tensor) -> None:
        """Take in a stretch."""
        if self._ids is None:
            some = torch.full_like(logits[:, :1], torch.nan)
        else:
            some = logits[:, self._ids[(self._ids >= start) & (self._ids < start + logits.shape[1])] - start]
        self._parts.append(_log_sum(some))  # a copy


class Chosen:
    """The logits (reads) of `tokens` at the positions `places`; -inf for an id outside the vocabulary."""

    def __init__(self, places: torch.Tensor, tokens: torch.Tensor) -> None:
        self._sorted, self._order = tokens.sort()
        self._places = places[self._order]
        self.values = torch.full(places.shape, -torch.inf, device=places.device)

    def add(self, start: int, logits: torch.Tensor) -> None:
        """Take in a stretch."""
        ends = torch.tensor([start, start + logits.shape[1]], device=self._sorted.device)
        some = slice(*torch.searchsorted(self._sorted, ends).tolist())
        self.values[self._order[some]] = logits[self._places[some], self._sorted[some] - start]


class Above:
    """How many tokens of the vocabulary have a larger logit (reads) than these at the positions `places`."""

    def __init__(self, places: torch.Tensor, values: torch.Tensor) -> None:
        self._places, self._values = places, values
        self.count = torch.zeros(places.shape, dtype=torch.long, device=places.device)

    def add(self, start: int, logits: torch.Tensor) -> None:  # noqa: ARG002 - all of the vocabulary counts
        """Take in a stretch."""
        for some in torch.split(torch.arange(len(self._places), device=logits.device), len(logits)):
            self.count[some] += (logits[self._places[some]] > self._values[some, None]).sum(-1)


class Largest:
    """The ids and the values (positions, number) of the largest logits, the largest first."""

    def __init__(self, number: int) -> None:
        self._number = number
        self.ids, self.values = torch.empty(0), torch.empty(0)

    def add(self, start: int, logits: torch.Tensor) -> None:
        """Take in a stretch."""
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
        """Take in a stretch."""
        self._parts.append((logits.softmax(-1) * logits).nan_to_num_(0).sum(-1))

    @property
    def value(self) -> torch.Tensor:
        """The mean over all stretches, weighted by their probabilities."""
        return (torch.stack(self._parts) * self._sums.parts.softmax(0)).sum(0)
