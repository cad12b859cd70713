"""Logits into log-probabilities and the requested extras, a stretch of the vocabulary at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from core.models import Loaded
from core.scorers import _sums
from core.scorers._output import Logits
from core.text.words import separates
from core.types import Extras

Readings = dict[str, NDArray[np.generic]]
"""A network's output at some positions: one row per position in each array, in nats.

`logprobs` always; `boundary_logprobs`, `punctuation_logprobs`, `eos_logprobs`, `entropies`, `ranks`, `top_ids`,
`top_logprobs` and `tempered` (a column per temperature) on request: see `core.types.TokenScores`.
"""
AT_ENDS = ("boundary_logprobs", "eos_logprobs", "punctuation_logprobs")
"""Readings about the ends of words and texts, for which the output after the last token is read too."""
NO_TARGET = -1
"""The target where the output is read and no token follows: after the last one."""


@dataclass(frozen=True, slots=True, eq=False)
class WordEnds:
    """Ids of the tokens that begin with white space or punctuation and so end a word; None if unknown."""

    space: torch.Tensor | None
    punctuation: torch.Tensor | None


def word_ends(network: Loaded) -> WordEnds:
    """The tokens that end a word; unknown where the vocabulary does not mark white space."""
    texts = network.tokenizer.texts()
    if texts is None:
        return WordEnds(None, None)
    space = [id for id, text in enumerate(texts) if text[:1].isspace()]
    punctuation = [id for id, text in enumerate(texts) if separates(text)]
    return WordEnds(*(torch.tensor(ids, dtype=torch.long, device=network.device) for ids in (space, punctuation)))


class Measure:
    """Reads log-probabilities, and the requested extras, from a network's logits."""

    def __init__(self, network: Loaded, extras: Extras, ends: WordEnds) -> None:
        self._extras = extras
        end = None if network.tokenizer.end is None else torch.tensor([network.tokenizer.end], device=network.device)
        marks = {"boundary": ends.space, "punctuation": ends.punctuation, "eos": end}
        self._ends = marks if extras.boundary else {}

    @torch.inference_mode()
    def __call__(self, logits: Logits, places: Sequence[int], targets: Sequence[int]) -> Readings:
        """The readings at these positions, which may recur, for the target at each."""
        at = torch.as_tensor(places, device=logits.device)
        target = torch.as_tensor(targets, device=logits.device)
        chosen, tempered = _sums.Chosen(at, target), {t: _sums.LogSum(t) for t in self._extras.temperatures}
        plain = _sums.LogSum(last=True)
        masses = {name: _sums.LogSumOf(ids) for name, ids in self._ends.items()}
        mean, largest = _sums.Mean(plain), _sums.Largest(self._extras.top)
        wanted: list[_sums.Sum] = [chosen, *tempered.values(), *masses.values()]
        wanted += [*[mean] * self._extras.entropy, *[largest] * (self._extras.top > 0), plain]
        for start, some in logits.stretches():
            for one in wanted:
                one.add(start, some)
        total = plain.total
        found = {"logprobs": chosen.values - total[at]}
        if self._extras.temperatures:
            found["tempered"] = torch.stack(
                [chosen.values / t - tempered[t].total[at] for t in self._extras.temperatures], -1
            )
        for values in found.values():
            values[target == NO_TARGET] = torch.nan
        found |= {f"{name}_logprobs": (mass.total - total)[at] for name, mass in masses.items()}
        if self._extras.rank:
            found["ranks"] = _ranks(logits, at, chosen.values)
        if self._extras.top:
            found |= {"top_ids": largest.ids[at], "top_logprobs": (largest.values - total[:, None])[at]}
        if self._extras.entropy:
            found["entropies"] = (total - mean.value)[at]
        return {name: _array(values) for name, values in found.items()}


def _ranks(logits: Logits, at: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """1 for the most probable token; the target's logit must be known first, so the logits are computed again."""
    above = _sums.Above(at, chosen)
    for start, some in logits.stretches():
        above.add(start, some)
    return 1 + above.count


def _array(values: torch.Tensor) -> NDArray[np.generic]:
    """Real numbers in double precision; made on the processor, since not every device has it."""
    return (values.cpu().double() if values.is_floating_point() else values.cpu()).numpy()


def joined(parts: Sequence[Readings]) -> Readings:
    """Readings one after the other."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def picked(readings: Readings, places: Sequence[int]) -> Readings:
    """The readings at these places, in this order."""
    return {name: values[list(places)] for name, values in readings.items()}
