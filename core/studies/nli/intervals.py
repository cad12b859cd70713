"""Intervals of what a confusion matrix says, over related sets of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.statistics.few import FEW_OF_A_CLASS
from core.statistics.intervals import wilson
from core.statistics.strata import Stratified
from core.studies.nli.metrics import Matrix, macro_f1

Bounds = tuple[float, float]
Reals = NDArray[np.float64]

_STEP = 1e-5
"""The share of all pairs by which a cell is raised to see how much the number rises."""
_ROUNDING = 1e-9


def over_sets(counts: Matrix, number: Callable[[Matrix], Reals], least: float = 0.0) -> Bounds:
    """The 95 % interval of a number of confusion matrices that lies between `least` and 1.

    `counts` has a matrix for each related set, shape (sets, classes, answers). The number's variance is that of its
    linear approximation (the infinitesimal jackknife, Jaeckel 1972), to which each pair adds what it moves the number
    by; related sets are its clusters, with their degrees of freedom (`core.statistics.strata`). The interval is
    Wilson's (1927) for as many independent pairs as would give a share of this size that variance. Where nothing
    varies, each set counts as one pair. NaN if there is no number, or one set only.
    """
    whole = counts.sum(axis=0)
    value = float(number(whole))
    if math.isnan(value) or len(counts) < 2:
        return math.nan, math.nan
    sets, cells = np.nonzero(counts.reshape(len(counts), -1))
    times = counts.reshape(len(counts), -1)[sets, cells].astype(np.int64)
    moves = pd.Series(np.repeat(_slopes(whole, number, value)[cells], times))
    sample = Stratified(moves, pd.Series(0, moves.index), pd.Series(np.repeat(sets, times)))
    share = round((value - least) / (1 - least), 12)
    varies = sample.variance > _ROUNDING**2
    size = share * (1 - share) * (1 - least) ** 2 / sample.variance if varies else float(len(counts))
    low, high = wilson(share * size, size, freedom=sample.freedom if varies else math.inf)
    return least + (1 - least) * low, least + (1 - least) * high


def of_macro_f1(counts: Matrix) -> Bounds:
    """The same of the classes' mean F1; NaN if one of them is `rare`."""
    return (math.nan, math.nan) if rare(counts.sum(axis=0)) else over_sets(counts, macro_f1)


def rare(matrix: Matrix) -> list[tuple[int, int]]:
    """The classes with pairs, but fewer than `FEW_OF_A_CLASS`: their numbers, and how many pairs."""
    return [(place, int(n)) for place, n in enumerate(matrix.sum(axis=1)) if 0 < n < FEW_OF_A_CLASS]


def _slopes(whole: Matrix, number: Callable[[Matrix], Reals], value: float) -> Reals:
    """By cell, how much the number rises with the share of its pairs; 0 where there are none."""
    seen, n = np.flatnonzero(whole), whole.sum()
    raised = np.repeat(whole[None].astype(np.float64), len(seen), axis=0)
    raised.reshape(len(seen), -1)[np.arange(len(seen)), seen] += _STEP * n
    slopes = np.zeros(whole.size)
    slopes[seen] = (number(raised) - value) / _STEP
    return slopes
