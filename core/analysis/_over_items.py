"""Statistics over items of numbers such as differences between conditions, tested against 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.statistics.intervals import LEVEL

Reals = NDArray[np.float64]

STATISTICS = ("n_items", "mean", "low", "high", "t", "df", "p", "p_wilcoxon", "share_positive", "dz")

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


def against_zero(values: Reals) -> dict[str, Any]:
    """The `STATISTICS` of one number per item.

    n_items, mean     how many, and their mean
    low, high         95 % t interval of the mean over items
    t, df, p          two-sided one-sample t test (Student 1908); of differences that is the paired t test
    p_wilcoxon        two-sided signed-rank test (Wilcoxon 1945), items at 0 left out
    share_positive    share of items above 0
    dz                mean divided by standard deviation: Cohen's d_z (Cohen 1988; Lakens 2013)

    NaN where undefined: intervals and tests need two items that differ.
    """
    n = len(values)
    mean = float(values.mean()) if n else np.nan
    deviation = float(values.std(ddof=1)) if n > 1 else np.nan
    if not deviation > _NOTHING * np.abs(values).max(initial=0.0):
        deviation = np.nan
    low, high = t_interval(*(np.array([number], np.float64) for number in (mean, deviation, n)))
    t, p = _t_test(mean, deviation, n)
    return {
        "n_items": n,
        "mean": mean,
        "low": float(low[0]),
        "high": float(high[0]),
        "t": t,
        "df": n - 1 if n > 1 else np.nan,
        "p": p,
        "p_wilcoxon": _signed_rank_test(values),
        "share_positive": float((values > 0).mean()) if n else np.nan,
        "dz": mean / deviation,
    }


def _t_test(mean: float, deviation: float, n: int) -> tuple[float, float]:
    from scipy.stats import t

    if np.isnan(deviation):
        return np.nan, np.nan
    statistic = mean / deviation * np.sqrt(n)
    return float(statistic), float(2 * t.sf(abs(statistic), n - 1))


def _signed_rank_test(values: Reals) -> float:
    from scipy.stats import wilcoxon

    moved = values[values != 0]
    return float(wilcoxon(moved).pvalue) if len(moved) > 1 else np.nan
