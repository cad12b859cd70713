"""Intervals for accuracies, and what they generalise over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.statistics.strata import Stratified

LEVEL = 0.95
_ROUNDING = 1e-12
_MOST_ALONE = 0.05
"""Weight of the strata with a single cluster beyond which there is no interval."""

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


def quantile(freedom: float = np.inf, level: float = LEVEL) -> float:
    """How many standard errors the bounds of an interval lie from its centre: Student's t, normal if not finite."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2)) if np.isfinite(freedom) else NormalDist().inv_cdf((1 + level) / 2)


def wilson(successes: float, n: float, level: float = LEVEL, freedom: float = np.inf) -> tuple[float, float]:
    """The score interval for a share (Wilson 1927); sensible near 0 and 1. NaN if n is 0.

    `freedom`: degrees of freedom of the variance from which `n` was found, where that was not given.
    """
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
    """For the mean of the strata's means of shares: Wilson's interval with the design effect (Korn & Graubard 1998).

    `weights` (by stratum, adding up to 1) says how much each stratum counts; by default all count alike. Strata
    (paradigms) are fixed; clusters (critical contrasts) are the sample, because items that share theirs are not
    independent. n is as many independent answers as have the variance of the mean (`Stratified`), the quantile
    Student's with its degrees of freedom (Dean & Pagano 2015). A design effect below 1 is not believed; ties, which
    vary less than right and wrong answers, make the interval no narrower, so that it is conservative with many.
    NaN where `can_vary` is false. The three series are aligned.
    """
    sample = Stratified(values, strata, clusters, weights)
    if not can_vary(sample):
        return Interval(np.nan, np.nan, sample.n_clusters, "items")
    mean = _share(sample)
    n = effective_size(sample, _deciding(sample.cluster_means), sample.variance_of_items)
    return Interval(*_score_interval(mean, n, sample), sample.n_clusters, "items")


def _share(sample: Stratified) -> float:
    """The mean, 0 or 1 exactly where it is but for rounding."""
    mean = sample.mean()
    if sample.values.min() < -_ROUNDING or sample.values.max() > 1 + _ROUNDING:
        raise ValueError("intervals of means are of shares, from 0 to 1")
    return round(mean) if abs(mean - round(mean)) < _ROUNDING else mean


def can_vary(sample: Stratified) -> bool:
    """Whether there is a sample: two clusters at least, and few strata with one only, in which nothing can vary.

    Values that are all the same need no more: they are as many observations as there are clusters.
    """
    if not len(sample.values):
        return False
    return bool(np.ptp(sample.values) == 0) or (sample.n_clusters > 1 and sample.alone <= _MOST_ALONE)


def effective_size(sample: Stratified, deciding: int, least_variance: float = 0.0) -> float:
    """As many independent values as have the sample's variance of the mean, or the least one if that is larger.

    A variance that rests on a few `deciding` clusters is hardly known, and then a cluster may be worth no more than
    one value: with one such cluster that is assumed, with e of them it enters with 1 in e squared. It never makes the
    size larger: one large cluster may be all that is known to vary.
    """
    if not sample.variance or sample.spread <= _ROUNDING:
        return sample.least_size
    doubt = 1 / max(1, deciding) ** 2
    measured = max(sample.variance, least_variance) / sample.spread
    return 1 / max(measured, doubt / sample.least_size + (1 - doubt) * measured)


def _deciding(means: Reals) -> int:
    """The clusters that are not all right, or those that are not all wrong, whichever are fewer."""
    return int(min((means < 1).sum(), (means > 0).sum()))


def _score_interval(mean: float, n: float, sample: Stratified) -> tuple[float, float]:
    freedom = sample.freedom if sample.variance else np.inf
    return wilson(mean * n, n, freedom=freedom)


def over_paradigms(means: Reals, families: Sequence[str] | None = None) -> Interval:
    """For the mean of the paradigms' means, if the paradigms themselves are a sample; NaN for fewer than two.

    Wilson's interval for as many independent answers as have the variance of the mean, with Student's quantile; each
    mean, a share, carries its items' noise with it. `families`, aligned with `means`, are fixed: paradigms vary
    within theirs, and the number is the mean over families.
    """
    values = pd.Series(means)
    sample = Stratified(values, pd.Series("" if families is None else [*families], values.index), _each(values))
    if sample.n_clusters < 2 or not can_vary(sample):
        return Interval(np.nan, np.nan, sample.n_clusters, "paradigms")
    mean = _share(sample)
    n = effective_size(sample, _deciding(sample.values))
    return Interval(*_score_interval(mean, n, sample), sample.n_clusters, "paradigms")


def _each(values: pd.Series) -> pd.Series:
    """Clusters of one value each."""
    return pd.Series(range(len(values)), values.index)
