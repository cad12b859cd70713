"""Intervals of what a confusion matrix says, over related sets of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import wilson
from core.studies.nli.metrics import Matrix

Bounds = tuple[float, float]
Reals = NDArray[np.float64]

_STEP = 1e-5
"""The share of all pairs by which a cell is raised to see how much the number rises."""
_ROUNDING = 1e-9


def over_sets(counts: Matrix, number: Callable[[Matrix], Reals], least: float = 0.0) -> Bounds:
    """The 95 % interval of a number of confusion matrices that lies between `least` and 1.

    `counts` has a matrix for each related set, shape (sets, classes, answers). The number's variance is that of its
    linear approximation (the infinitesimal jackknife, Jaeckel 1972), in which each set moves it by what its pairs do
    together, scaled by the set's share of the pairs (CR2, Bell & McCaffrey 2002). The interval is Wilson's (1927) for
    as many independent pairs as would give a share of this size that variance, with Student's quantile for the
    degrees of freedom that sets of such sizes leave (Satterthwaite 1946). Where nothing varies, each set counts as
    one pair. NaN if there is no number, or one set only.
    """
    whole, n = counts.sum(axis=0), counts.sum()
    value = float(number(whole))
    if math.isnan(value) or len(counts) < 2:
        return math.nan, math.nan
    held = counts.sum(axis=(1, 2)) / n
    moves = _moves(counts, number, value)
    variance = float((moves**2 / (1 - held)).sum()) / (1 - least) ** 2
    share = round((value - least) / (1 - least), 12)
    size = share * (1 - share) / variance if variance else float(len(counts))
    freedom = 1 / float((held**2).sum()) - 1
    low, high = wilson(share * size, size, freedom=freedom)
    return least + (1 - least) * low, least + (1 - least) * high


def _moves(counts: Matrix, number: Callable[[Matrix], Reals], value: float) -> Reals:
    """By set, how far its pairs move the number from where it would be if they were like all others."""
    cells, whole, n = counts.reshape(len(counts), -1), counts.sum(axis=0), counts.sum()
    seen = np.flatnonzero(whole)
    raised = np.repeat(whole[None].astype(np.float64), len(seen), axis=0)
    raised.reshape(len(seen), -1)[np.arange(len(seen)), seen] += _STEP * n
    slopes = (number(raised) - value) / _STEP
    moves = cells[:, seen] @ (slopes - slopes @ whole.ravel()[seen] / n) / n
    return np.where(np.abs(moves) < _ROUNDING, 0, moves)
