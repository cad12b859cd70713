"""Intervals from a number of all items and of all but one cluster each: nothing is drawn, so nothing varies.

The variance is that of Tukey (1958), over clusters; quantiles are Student's with one degree of freedom less than
there are clusters, which is what few of them need (MacKinnon, Nielsen & Webb 2023).
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.statistics.intervals import LEVEL, Reals

Codes = NDArray[np.int64]

_MOST = 100
"""So many are left out one by one; more clusters are left out in so many groups (Kott 2001)."""
_ROUNDING = 1e-12
"""Nearer to 1, a correlation is 1."""


def left_out(clusters: pd.Series) -> tuple[Codes, int]:
    """For each row the number of what is left out together, from 0; how many clusters there are (nameless: one)."""
    codes, names = pd.factorize(clusters, use_na_sentinel=False)
    return codes % _MOST, len(names)


def without_each(statistics: pd.DataFrame, codes: Codes, value: Callable[[pd.DataFrame], float]) -> Reals:
    """The value of all rows but those with code 0, with code 1, and so on; `value` is given numbers only."""
    numbers = statistics.select_dtypes("number")
    return np.array([value(numbers[codes != code]) for code in range(codes.max() + 1)])


def covariance(without: Reals) -> Reals:
    """Of numbers of all items, from those without each cluster: a row each, a column per number (Tukey 1958)."""
    n = len(without)
    deviations = without - without.mean(axis=0)
    return np.asarray((n - 1) / n * deviations.T @ deviations)


def symmetrical(value: float, without: Reals) -> tuple[float, float]:
    """Bounds of any smooth number: as far on either side as Student's t and its standard error say."""
    reach = _reach(without)
    return value - reach, value + reach


def of_correlation(value: float, without: Reals) -> tuple[float, float]:
    """Bounds of a correlation, on the scale of Fisher's z (1921), which keeps them within -1 and 1; NaN at either."""
    if 1 - abs(value) < _ROUNDING:
        return np.nan, np.nan
    z, reach = np.arctanh(value), _reach(without) / (1 - value**2)
    return float(np.tanh(z - reach)), float(np.tanh(z + reach))


def of_mean_square(values: Reals, without: Reals) -> tuple[float, float]:
    """Bounds of the mean square of numbers (correlations) that are estimated together, at least 0.

    `values` has one per column of `without`. Were all 0, their mean square over `mean_square_of_nothing` would have
    an F distribution with Box's (1954) degrees of freedom; 0 is in the interval where that test, at 5 %, does not
    reject it. Elsewhere, the length of their vector is at most as far from the truth's as the vector is (triangle
    inequality), so that the interval holds at least as often as it says.
    """
    from scipy.stats import f

    of_numbers = covariance(without)
    squares = np.sum(of_numbers**2)
    degrees = float(np.trace(of_numbers) ** 2 / squares) if squares else np.nan, len(without) - 1
    farthest = np.sqrt(mean_square_of_nothing(without) * f.ppf(LEVEL, *degrees))
    root = np.sqrt(np.mean(values**2))
    return float(np.maximum(0, root - farthest) ** 2), float(np.minimum(1, root + farthest) ** 2)


def mean_square_of_nothing(without: Reals) -> float:
    """What the mean square of numbers that are all 0 is on average: their mean variance."""
    return float(np.trace(covariance(without)) / without.shape[1])


def _reach(without: Reals) -> float:
    from scipy.stats import t

    return float(t.ppf((1 + LEVEL) / 2, len(without) - 1) * np.sqrt(covariance(without[:, None])[0, 0]))
