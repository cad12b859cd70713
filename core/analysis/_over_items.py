"""Statistics over items of numbers such as differences between conditions, tested against 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.statistics.intervals import LEVEL, quantile
from core.statistics.strata import Stratified

Reals = NDArray[np.float64]

STATISTICS = ("n_items", "mean", "low", "high", "t", "df", "p", "p_wilcoxon", "share_positive", "dz", "skew")

_NOTHING = 1e-12
"""A standard deviation below this share of the largest value is rounding error: nothing varies."""


def t_interval(mean: Reals, deviation: Reals, n: Reals) -> tuple[Reals, Reals]:
    """Bounds of the `LEVEL` interval of means (Student 1908) from standard deviations (n - 1) and numbers of values.

    NaN for fewer than two values, and where they do not vary.
    """
    from scipy.stats import t

    with np.errstate(divide="ignore", invalid="ignore"):
        reach = t.ppf((1 + LEVEL) / 2, n - 1) * deviation / np.sqrt(n)
    reach = np.where((n > 1) & (deviation > 0), reach, np.nan)
    return mean - reach, mean + reach


def against_zero(values: Reals, items: NDArray[Any] | None = None) -> dict[str, Any]:
    """The `STATISTICS` of one number per item, or of several, whose `items` are aligned with them.

    n_items, mean     how many items, and the mean of the numbers
    low, high         its 95 % t interval
    t, df, p          two-sided one-sample t test (Student 1908); of differences that is the paired t test. With
                      several numbers of an item, error and degrees of freedom are `Stratified`'s of the same mean
    p_wilcoxon        two-sided signed-rank test (Wilcoxon 1945) of the items' means, those at 0 left out
    share_positive    share of items above 0
    dz                mean of the items' means divided by their standard deviation: Cohen's d_z (1988; Lakens 2013)
    skew              skewness of the items' means: third central moment over the cube of the standard deviation

    NaN where undefined: intervals and tests need two items that differ.
    """
    from scipy.stats import t as student

    mean = float(values.mean()) if len(values) else np.nan
    each = values if items is None else pd.Series(values).groupby(items, sort=False).mean().to_numpy(np.float64)
    n, error, freedom = len(each), np.nan, float(len(each) - 1)
    deviation = float(each.std(ddof=1)) if n > 1 else np.nan
    if not deviation > _NOTHING * np.abs(each).max(initial=0.0):
        deviation = np.nan
    elif n == len(values):
        error = deviation / np.sqrt(n)
    else:
        sample = Stratified(pd.Series(values), pd.Series(0, range(len(values))), pd.Series(items))
        error, freedom = np.sqrt(sample.variance), sample.freedom
    reach = quantile(freedom) * error if n > 1 else np.nan
    return {
        "n_items": n,
        "mean": mean,
        "low": mean - reach,
        "high": mean + reach,
        "t": mean / error,
        "df": freedom if n > 1 else np.nan,
        "p": float(2 * student.sf(abs(mean / error), freedom)),
        "p_wilcoxon": _signed_rank_test(np.asarray(each, np.float64)),
        "share_positive": float((each > 0).mean()) if n else np.nan,
        "dz": float(each.mean()) / deviation if n else np.nan,
        "skew": float(np.mean((each - each.mean()) ** 3) / each.std() ** 3) if deviation > 0 else np.nan,
    }


def _signed_rank_test(values: Reals) -> float:
    from scipy.stats import wilcoxon

    moved = values[values != 0]
    return float(wilcoxon(moved).pvalue) if len(moved) > 1 else np.nan
