"""Intervals for accuracies, and what they generalise over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LEVEL = 0.95
RESAMPLES = 2_000
RESAMPLES_OF_TABLES = 1_000
_MOST_ALONE = 0.05
"""Weight of the strata with a single cluster beyond which an interval would be much too narrow."""
_LEAST_BELOW = 0.1
"""Share of draws on either side of the number, below which correcting for bias is guessing."""
_SEED = 20_201_104

Reals = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a `LEVEL` interval, NaN where there is too little to tell.

    `over` says what a repetition would draw anew: `items` (their critical contrasts, in the same paradigms) or
    `paradigms`. `n_clusters` is how many of these independent units there are.
    """

    low: float
    high: float
    n_clusters: int
    over: str


def wilson(successes: float, n: float, level: float = LEVEL) -> tuple[float, float]:
    """The score interval for a share (Wilson 1927); sensible near 0 and 1. NaN if n is 0."""
    if not n:
        return np.nan, np.nan
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / n
    centre = share + z * z / (2 * n)
    reach = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = (centre - reach) / scale if successes else 0.0
    high = (centre + reach) / scale if successes < n else 1.0
    return float(low), float(high)


def bounds(draws: Reals) -> tuple[float, float]:
    """The `LEVEL` percentile interval of draws; those without a number are left out, NaN if none has one."""
    known = draws[~np.isnan(draws)]
    if not len(known):
        return np.nan, np.nan
    low, high = np.quantile(known, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def independent(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Differences of numbers about other items, from their own intervals (Newcombe 1998; Zou & Donner 2008).

    `first` and `second` are aligned and have value, low and high. Columns: difference, low, high.
    """
    difference = first["value"] - second["value"]
    down = np.hypot(first["value"] - first["low"], second["high"] - second["value"])
    up = np.hypot(first["high"] - first["value"], second["value"] - second["low"])
    return pd.DataFrame({"difference": difference, "low": difference - down, "high": difference + up})


def over_items(
    values: pd.Series, strata: pd.Series, clusters: pd.Series, weights: pd.Series | None = None
) -> Interval:
    """For the mean of the strata's means, by the percentile bootstrap (Efron & Tibshirani 1993, chapter 13).

    `weights` (by stratum, adding up to 1) says how much each stratum counts; by default all count alike. Strata
    (paradigms) are fixed. Clusters (critical contrasts) are drawn with replacement, because items that share their
    contrast are not independent: those of one stratum within it, those that several strata have with their items in
    all of them. With few clusters such intervals are too narrow: look at `n_clusters`. Where the means of all
    clusters are equal the interval is Wilson's for as many observations as there are clusters.
    NaN if there is no value, if strata with one cluster only, in which nothing can vary, count for more than
    `_MOST_ALONE`, or if there is one cluster whose values differ. The three series are aligned.
    """
    stratum, names = pd.factorize(strata, sort=True)
    cluster, contrasts = pd.factorize(clusters)
    n_clusters = len(contrasts)
    if not n_clusters:
        return Interval(np.nan, np.nan, 0, "items")
    cells, cell = np.unique(stratum * n_clusters + cluster, return_inverse=True)
    by_cell = pd.Series(values.to_numpy()).groupby(cell)
    sums = np.column_stack([by_cell.sum(), by_cell.count()]).astype(np.float64)
    means = sums[:, 0] / sums[:, 1]
    if _all_equal(means) and (n_clusters > 1 or _all_equal(values.to_numpy())):
        return Interval(*wilson(means[0] * n_clusters, n_clusters), n_clusters, "items")
    of_stratum, of_cluster = np.divmod(cells, n_clusters)
    sizes = np.bincount(of_stratum)
    shares = np.full(len(names), 1 / len(names)) if weights is None else weights.loc[names].to_numpy(np.float64)
    if shares[sizes == 1].sum() > _MOST_ALONE:
        return Interval(np.nan, np.nan, n_clusters, "items")
    return Interval(*bounds(_resampled_strata(sums, of_stratum, of_cluster) @ shares), n_clusters, "items")


def over_means(columns: pd.DataFrame, clusters: pd.Series, value: Callable[[Reals], Reals]) -> Interval:
    """For a function of the columns' means, by the percentile bootstrap over clusters of rows.

    `value` takes means in the order of the columns, shape (draws, columns), and returns one number per draw.
    `clusters` is aligned with `columns`. NaN if there are fewer than two clusters.
    """
    codes, names = pd.factorize(clusters, use_na_sentinel=False)
    if len(names) < 2:
        return Interval(np.nan, np.nan, len(names), "items")
    numbers = [columns[name].to_numpy(np.float64) for name in columns]
    sums = np.column_stack([*(np.bincount(codes, one) for one in numbers), np.bincount(codes)])
    drawn = _resampled(sums, np.random.default_rng(_SEED))
    return Interval(*bounds(value(drawn[:, :-1] / drawn[:, -1:])), len(names), "items")


def over_clusters(statistics: pd.DataFrame, clusters: pd.Series, value: Callable[[pd.DataFrame], float]) -> Interval:
    """For any number about a table of items, by the bias-corrected bootstrap (Efron 1981) over clusters of its rows.

    `value` is given the columns that hold numbers. `clusters` is aligned with `statistics`. Draws for which there is
    no number are left out. NaN if there are fewer than two clusters, and where resampling moves the number too far
    for a correction, as it does with shares of variance near 0, which cannot fall.
    """
    codes, names = pd.factorize(clusters, use_na_sentinel=False)
    if len(names) < 2:
        return Interval(np.nan, np.nan, len(names), "items")
    numbers = statistics.select_dtypes("number")  # texts need not be drawn a thousand times
    order = np.argsort(codes, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    generator = np.random.default_rng(_SEED)
    draws = [
        value(numbers.iloc[np.concatenate([members[one] for one in drawn])])
        for drawn in generator.integers(len(names), size=(RESAMPLES_OF_TABLES, len(names)))
    ]
    return Interval(*_corrected_bounds(np.asarray(draws), value(numbers)), len(names), "items")


def over_paradigms(means: Reals, families: Sequence[str] | None = None) -> Interval:
    """For the mean of the paradigms' means, if the paradigms themselves are a sample; NaN for fewer than two.

    Percentile bootstrap over paradigms; each mean carries its items' noise with it. `families`, aligned with `means`,
    are fixed: paradigms are drawn within theirs, and the number is the mean over families.
    """
    n = len(means)
    if n < 2:
        return Interval(np.nan, np.nan, n, "paradigms")
    generator = np.random.default_rng(_SEED)
    draws = [
        family.to_numpy()[generator.integers(len(family), size=(RESAMPLES, len(family)))].mean(axis=1)
        for _, family in pd.Series(means).groupby([""] * n if families is None else list(families))
    ]
    return Interval(*bounds(np.mean(draws, axis=0)), n, "paradigms")


def _resampled_strata(sums: Reals, of_stratum: Codes, of_cluster: Codes) -> Reals:
    """Means of the strata, one row per draw.

    `sums` has a row per cell, that is stratum and cluster, in the order of the strata: sum and count of its values.
    """
    generator = np.random.default_rng(_SEED)
    spanning = np.bincount(of_cluster)[of_cluster] > 1
    n_strata = of_stratum[-1] + 1
    drawn = np.zeros((RESAMPLES, n_strata, 2))
    ends = np.cumsum(np.bincount(of_stratum[~spanning], minlength=n_strata))
    for place, alone in enumerate(np.split(sums[~spanning], ends[:-1])):
        if len(alone):
            drawn[:, place] += _resampled(alone, generator)
    if spanning.any():
        rows, row = np.unique(of_cluster[spanning], return_inverse=True)
        places, column = np.unique(of_stratum[spanning], return_inverse=True)
        shared = np.zeros((len(rows), 2, len(places)))
        shared[row, :, column] = sums[spanning]
        across = _resampled(shared.reshape(len(rows), -1), generator).reshape(RESAMPLES, 2, -1)
        drawn[:, places] += across.transpose(0, 2, 1)
    with np.errstate(invalid="ignore"):
        means = drawn[:, :, 0] / drawn[:, :, 1]
    totals = np.add.reduceat(sums, np.flatnonzero(np.diff(of_stratum, prepend=-1)))
    return np.where(np.isnan(means), totals[:, 0] / totals[:, 1], means)  # where none of its clusters was drawn


def _all_equal(numbers: Reals) -> bool:
    known = numbers[~np.isnan(numbers)]
    return bool(len(known)) and bool((known == known[0]).all())


def _resampled(clusters: Reals, generator: np.random.Generator) -> Reals:
    """Sums over `RESAMPLES` draws of as many clusters as there are, one row per draw; `clusters` has one row each.

    Clusters with the same numbers are interchangeable, so it is enough to draw how many of each kind.
    """
    kinds, members = np.unique(clusters, axis=0, return_counts=True)
    return np.asarray(generator.multinomial(len(clusters), members / len(clusters), size=RESAMPLES) @ kinds)


def _corrected_bounds(draws: Reals, value: float) -> tuple[float, float]:
    """The quantiles that would be the bounds if the draws lay evenly around the value."""
    known, normal = draws[~np.isnan(draws)], NormalDist()
    if not len(known):
        return np.nan, np.nan
    below = float(np.mean(known < value) + np.mean(known == value) / 2)
    if not _LEAST_BELOW <= below <= 1 - _LEAST_BELOW:
        return np.nan, np.nan
    shift, reach = 2 * normal.inv_cdf(below), normal.inv_cdf((1 + LEVEL) / 2)
    low, high = np.quantile(known, [normal.cdf(shift - reach), normal.cdf(shift + reach)])
    return float(low), float(high)
