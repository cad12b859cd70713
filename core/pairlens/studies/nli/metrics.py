"""The numbers of a confusion matrix, and those of relatedness, as the official scorer of ASSIN has them.

A confusion matrix is an array of counts, shape (classes, answers): a row per gold class, a column per answer, the
classes first in the same order; further columns are answers that are no class (none was given). Matrices may be
stacked along leading axes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.statistics.few import FEW_OF_A_CLASS
from pairlens.statistics.intervals import wilson
from pairlens.statistics.strata import Stratified

Counts = NDArray[np.int64]
Matrix = Counts | NDArray[np.float64]
"""Counts, or shares of all."""
Codes = NDArray[np.int64]
Reals = NDArray[np.float64]


def confusions(gold: Sequence[str], answers: Sequence[str], classes: Sequence[str], sets: Codes) -> Counts:
    """Counts by set (numbers from 0), gold class and answer; answers that are no class have a last column."""
    place = {name: number for number, name in enumerate(classes)}
    n, n_sets = len(classes), int(sets.max(initial=0)) + 1
    rows = np.fromiter((place[name] for name in gold), np.int64, len(gold))
    columns = np.fromiter((place.get(name, n) for name in answers), np.int64, len(answers))
    cells = (sets * n + rows) * (n + 1) + columns
    counts = np.bincount(cells, minlength=n_sets * n * (n + 1)).reshape(n_sets, n, n + 1)
    return counts if counts[:, :, n].any() else counts[:, :, :n]


def confusion(gold: Sequence[str], answers: Sequence[str], classes: Sequence[str]) -> Counts:
    counts: Counts = confusions(gold, answers, classes, np.zeros(len(gold), np.int64))[0]
    return counts


def accuracy(matrix: Matrix) -> Reals:
    """The share of pairs whose answer is their class; NaN without pairs."""
    return _share(_hits(matrix).sum(axis=-1), matrix.sum(axis=(-2, -1)))


def precision(matrix: Matrix) -> Reals:
    """By class, the share of its answers that are right; NaN for a class that was never answered."""
    return _share(_hits(matrix), _answered(matrix))


def recall(matrix: Matrix) -> Reals:
    """By class, the share of its pairs that were answered so; NaN for a class without pairs."""
    return _share(_hits(matrix), matrix.sum(axis=-1))


def f1(matrix: Matrix) -> Reals:
    """By class, the harmonic mean of precision and recall; NaN for a class without pairs and answers."""
    return _share(2 * _hits(matrix), _answered(matrix) + matrix.sum(axis=-1))


def macro_f1(matrix: Matrix) -> Reals:
    """The mean F1 of the classes that have pairs; an answer that is none of them costs recall only."""
    there = matrix.sum(axis=-1) > 0
    return _share(np.where(there, f1(matrix), 0).sum(axis=-1), there.sum(axis=-1))


def mcc(matrix: Matrix) -> Reals:
    """Matthews' correlation for any number of classes (Gorodkin 2004); NaN if gold or answers do not vary."""
    n_classes, n_answers = matrix.shape[-2:]
    gold = np.concatenate([matrix.sum(axis=-1), np.zeros((*matrix.shape[:-2], n_answers - n_classes))], axis=-1)
    answered = matrix.sum(axis=-2).astype(np.float64)
    n = matrix.sum(axis=(-2, -1)).astype(np.float64)
    together = _hits(matrix).sum(axis=-1) * n - (gold * answered).sum(axis=-1)
    return _share(together, np.sqrt((n**2 - (gold**2).sum(axis=-1)) * (n**2 - (answered**2).sum(axis=-1))))


def _hits(matrix: Matrix) -> NDArray[Any]:
    return np.asarray(np.diagonal(matrix, axis1=-2, axis2=-1))


def _answered(matrix: Matrix) -> NDArray[Any]:
    return np.asarray(matrix[..., : matrix.shape[-2]].sum(axis=-2))


def _share(part: NDArray[Any], whole: NDArray[Any]) -> Reals:
    """NaN where there is nothing to have a share of."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, np.nan))


@dataclass(frozen=True, slots=True)
class Relatedness:
    """Pearson's correlation with gold values and the mean squared error, over `n` pairs; `n_missing` count as 0."""

    n: int
    pearson: float
    mse: float
    n_missing: int = 0


def relatedness(gold: Sequence[float] | Reals, predicted: Sequence[float] | Reals) -> Relatedness:
    """How near predicted values are; NaN for fewer than two pairs, and no correlation where one side is constant."""
    known = np.isfinite(gold) & np.isfinite(predicted)
    a, b = (np.asarray(values, np.float64)[known] for values in (gold, predicted))
    if len(a) < 2:
        return Relatedness(len(a), math.nan, math.nan)
    varies = np.ptp(a) > 0 and np.ptp(b) > 0
    return Relatedness(len(a), float(np.corrcoef(a, b)[0, 1]) if varies else math.nan, float(np.mean((a - b) ** 2)))


Bounds = tuple[float, float]

_STEP = 1e-5
"""The share of all pairs by which a cell is raised to see how much the number rises."""
_ROUNDING = 1e-9


def over_sets(counts: Matrix, number: Callable[[Matrix], Reals], least: float = 0.0) -> Bounds:
    """The 95 % interval of a number of confusion matrices that lies between `least` and 1.

    `counts` has a matrix for each related set, shape (sets, classes, answers). The number's variance is that of its
    linear approximation (the infinitesimal jackknife, Jaeckel 1972), to which each pair adds what it moves the number
    by; related sets are its clusters, with their degrees of freedom (`pairlens.statistics.strata`). The interval is
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
