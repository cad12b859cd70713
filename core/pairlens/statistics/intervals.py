"""Intervals for accuracies, and what they generalise over."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.statistics.strata import Stratified

LEVEL = 0.95
_ROUNDING = 1e-12
_MOST_ALONE = 0.05
"""Weight of the strata with a single cluster beyond which there is no interval."""

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a `LEVEL` interval, NaN where there is too little to tell; `over` says what a repetition draws anew.

    `items` (their contrasts, in the same paradigms) or `paradigms`, of which `n_clusters` are independent; `freedom`:
    degrees of freedom of the variance, NaN where not asked.
    """

    low: float
    high: float
    n_clusters: int
    over: str
    freedom: float = np.nan


def quantile(freedom: float = np.inf, level: float = LEVEL) -> float:
    """How many standard errors the bounds of an interval lie from its centre: Student's t, normal if not finite."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2)) if np.isfinite(freedom) else NormalDist().inv_cdf((1 + level) / 2)


def wilson(successes: float, n: float, level: float = LEVEL, freedom: float = np.inf) -> tuple[float, float]:
    """The score interval for a share (Wilson 1927), NaN if n is 0; `freedom` is of the variance that n comes from."""
    if not n:
        return np.nan, np.nan
    z = quantile(freedom, level)
    share = successes / n
    centre = share + z * z / (2 * n)
    reach = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = max(0.0, (centre - reach) / scale) if successes else 0.0
    high = min(1.0, (centre + reach) / scale) if successes < n else 1.0
    return float(low), float(high)


def over_items(
    values: pd.Series, strata: pd.Series, clusters: pd.Series, weights: pd.Series | None = None
) -> Interval:
    """For the mean of the strata's means of shares, which are fixed, over clusters, which are the sample.

    `weights` (by stratum, adding up to 1) says how much each stratum counts; by default all count alike. Items that
    share their cluster (critical contrast) are not independent: the interval is `logit`, with Student's quantile for
    the variance's degrees of freedom (`Stratified`). Where each item is its own it is Wilson's, in several strata for
    as many items as have the variance of the mean, with that quantile (Korn & Graubard 1998; Dean & Pagano 2015). A
    design effect below 1 is not believed; ties, which vary less than right and wrong answers, make the interval no
    narrower, so that it is conservative with many. Where nothing varies, each cluster counts as one answer, and the
    interval is Wilson's. NaN where `can_vary` is false. The three series are aligned.
    """
    return _interval(Stratified(values, strata, clusters, weights), "items")


def over_paradigms(means: Reals, families: Sequence[str] | None = None) -> Interval:
    """For the mean of the paradigms' means if these are a sample, within `families`, which are fixed; NaN for one."""
    values = pd.Series(means)
    strata = pd.Series("" if families is None else [*families], values.index)
    return _interval(Stratified(values, strata, pd.Series(range(len(values)), values.index)), "paradigms")


def can_vary(sample: Stratified) -> bool:
    """Whether there is a sample: two clusters, and values all alike or few strata with a single cluster."""
    return sample.n_clusters > 1 and (np.ptp(sample.values) == 0 or sample.alone <= _MOST_ALONE)


def logit(share: float, variance: float, freedom: float) -> tuple[float, float]:
    """Bounds of a share strictly between 0 and 1 on the scale of its logit, as `svyciprop` of R's survey has it."""
    odds = share / (1 - share)
    reach = np.exp(quantile(freedom) * np.sqrt(variance) / (share * (1 - share)))
    return float(odds / (odds + reach)), float(odds / (odds + 1 / reach))


def _interval(sample: Stratified, over: str) -> Interval:
    if not can_vary(sample):
        return Interval(np.nan, np.nan, sample.n_clusters, over)
    if sample.values.min() < -_ROUNDING or sample.values.max() > 1 + _ROUNDING:
        raise ValueError("intervals of means are of shares, from 0 to 1")
    mean, n, n_items = sample.mean(), sample.least_size, len(sample.values)
    variance = max(sample.variance, sample.variance_of_items if over == "items" else 0.0)
    if not sample.variance or not _ROUNDING < mean < 1 - _ROUNDING:
        bounds = wilson(round(mean, 12) * n, n)
    elif over == "items" and sample.n_clusters == len(sample.values):
        n, freedom = sample.spread / variance, sample.freedom
        bounds = wilson(mean * n, n, freedom=freedom) if sample.n_strata > 1 else wilson(mean * n_items, n_items)
    else:
        bounds = logit(mean, variance, sample.freedom)
    return Interval(*bounds, sample.n_clusters, over, sample.freedom)
