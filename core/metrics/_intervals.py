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
_LEAST_BELOW = 0.1
"""Share of draws on either side of the number, below which correcting for bias is guessing."""
_SEED = 20_201_104

Reals = NDArray[np.float64]


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


def over_items(
    values: pd.Series, strata: pd.Series, clusters: pd.Series, weights: pd.Series | None = None
) -> Interval:
    """For the mean of the strata's means, by the percentile bootstrap (Efron & Tibshirani 1993, chapter 13).

    `weights` (by stratum, adding up to 1) says how much each stratum counts; by default all count alike. Strata
    (paradigms) are fixed. In each, clusters (critical contrasts) are drawn with replacement, because items
    that share their contrast are not independent. With few clusters such intervals are too narrow: look at
    `n_clusters`. Where the means of all clusters are equal the interval is Wilson's for as many observations as there
    are clusters. NaN if there is no value, or one cluster only whose values differ. The three series are aligned.
    """
    frame = pd.DataFrame({"value": values.to_numpy(), "stratum": strata.to_numpy(), "cluster": clusters.to_numpy()})
    sums = frame.groupby(["stratum", "cluster"], sort=True)["value"].agg(["sum", "count"])
    n_clusters = len(sums)
    if not n_clusters:
        return Interval(np.nan, np.nan, 0, "items")
    means = sums["sum"] / sums["count"]
    if n_clusters == 1 and frame["value"].nunique() > 1:
        return Interval(np.nan, np.nan, 1, "items")
    if means.nunique() == 1:
        return Interval(*wilson(means.iloc[0] * n_clusters, n_clusters), n_clusters, "items")
    generator = np.random.default_rng(_SEED)
    names = [*dict.fromkeys(sums.index.get_level_values("stratum"))]
    draws = [_resampled_means(sums.loc[name].to_numpy(np.float64), generator) for name in names]
    shares = None if weights is None else [float(weights.loc[name]) for name in names]
    return Interval(*_bounds(np.average(draws, axis=0, weights=shares)), n_clusters, "items")


def over_clusters(statistics: pd.DataFrame, clusters: pd.Series, value: Callable[[pd.DataFrame], float]) -> Interval:
    """For any number about a table of items, by the bias-corrected bootstrap (Efron 1981) over clusters of its rows.

    `clusters` is aligned with `statistics`. Draws for which there is no number are left out. NaN if there are fewer
    than two clusters, and where resampling moves the number too far for a correction, as it does with shares of
    variance near 0, which cannot fall.
    """
    codes, names = pd.factorize(clusters)
    if len(names) < 2:
        return Interval(np.nan, np.nan, len(names), "items")
    order = np.argsort(codes, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    generator = np.random.default_rng(_SEED)
    draws = [
        value(statistics.iloc[np.concatenate([members[one] for one in drawn])])
        for drawn in generator.integers(len(names), size=(RESAMPLES_OF_TABLES, len(names)))
    ]
    return Interval(*_corrected_bounds(np.asarray(draws), value(statistics)), len(names), "items")


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
    return Interval(*_bounds(np.mean(draws, axis=0)), n, "paradigms")


def _resampled_means(clusters: Reals, generator: np.random.Generator) -> Reals:
    """Means of `RESAMPLES` draws of as many clusters as there are; `clusters` holds sum and number of values.

    Clusters with the same sum and number are interchangeable, so it is enough to draw how many of each kind.
    """
    kinds, members = np.unique(clusters, axis=0, return_counts=True)
    drawn = generator.multinomial(len(clusters), members / len(clusters), size=RESAMPLES) @ kinds
    return drawn[:, 0] / drawn[:, 1]


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


def _bounds(draws: Reals) -> tuple[float, float]:
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
