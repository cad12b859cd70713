"""Two sets of answers to the same items: how large is their difference, and is it more than chance?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.statistics.intervals import Interval, over_items, wilson

Reals = NDArray[np.float64]

_PARTS = 60
"""Differences of credit are multiples of one in so many: a tie counts one half, or one in up to six candidates."""
_MOST_EXACT = 10_000
"""Parts that clusters differ by together: beyond, the exact distribution takes long and the normal one is close."""


@dataclass(frozen=True, slots=True)
class Discordant:
    """Items on which two runs disagree: `only_a` are right in the first alone, `only_b` in the second alone.

    An item for which either run has only part of the credit (a tie counted one half) says nothing about which of them
    is right; it is in neither number, though it is in the difference of their means.
    """

    only_a: int
    only_b: int

    @property
    def p(self) -> float:
        """The exact two-sided p-value of McNemar (1947): were both alike, each number would be a fair coin's.

        1 if there is no such item. It takes items as independent, which those with the same contrast are not.
        """
        from scipy.stats import binomtest

        n = self.only_a + self.only_b
        return float(binomtest(self.only_a, n).pvalue) if n else 1.0


def discordant(correct_a: pd.Series, correct_b: pd.Series) -> Discordant:
    """Count the items that exactly one run has right. The series are aligned, 0 to 1 per item."""
    a, b = correct_a.to_numpy(np.float64), correct_b.to_numpy(np.float64)
    return Discordant(int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum()))


def exchanged(differences: pd.Series, clusters: pd.Series) -> float:
    """The two-sided p-value of exchanging the two runs' answers, those to all items of a cluster together.

    Were the runs alike, it would be a fair coin for each cluster which of them gave which answers (Fisher 1935). For
    items on their own, each right or wrong, it is McNemar's exact test (`Discordant.p`). Exact; but normal, as Yang,
    Sun & Hardin (2010, Biometrical Journal) have it, where clusters of several sizes hold thousands of differences,
    or credit comes in other parts than halves to sixths. 1 where no cluster differs. The series are aligned.
    """
    from scipy.stats import binomtest, norm

    sums = differences.groupby(clusters.to_numpy()).sum().to_numpy(np.float64) * _PARTS
    parts = np.rint(sums).astype(np.int64)
    whole = bool(np.allclose(sums, parts, atol=1e-6))
    parts = parts[parts != 0]
    if not len(parts) and whole:
        return 1.0
    sizes = np.abs(parts) // np.gcd.reduce(parts) if len(parts) else parts
    if whole and sizes.min() == sizes.max():
        return float(binomtest(int((parts > 0).sum()), len(parts)).pvalue)
    if whole and sizes.sum() <= _MOST_EXACT:
        return _as_far_from_even(sizes, int((sizes * np.sign(parts)).sum()))
    return float(2 * norm.sf(abs(sums.sum()) / np.sqrt((sums**2).sum())))


def _as_far_from_even(sizes: NDArray[np.int64], total: int) -> float:
    """How likely the sum of these sizes, each with the sign of a fair coin, is at least as far from 0 as `total`."""
    from scipy.stats import binom

    heads = np.ones(1)  # by the sum of the sizes that fall on heads, how likely it is
    for size, count in zip(*np.unique(sizes, return_counts=True), strict=True):
        of_size = np.zeros(size * count + 1)
        of_size[::size] = binom.pmf(np.arange(count + 1), count, 0.5)
        heads = np.convolve(heads, of_size)
    sums = 2 * np.arange(len(heads)) - sizes.sum()
    return min(1.0, float(heads[np.abs(sums) >= abs(total)].sum()))


def difference_over_items(
    differences: pd.Series, strata: pd.Series, clusters: pd.Series, weights: pd.Series | None = None
) -> Interval:
    """For the mean of the strata's mean differences, by the paired bootstrap (Efron & Tibshirani 1993, chapter 16).

    Both runs' answers to an item are drawn together, which is drawing their difference (-1 to 1); strata, clusters
    and weights are those of `over_items`. Where all differences are equal, nothing varies in any draw: then the
    bounds are Wilson's for as many observations as there are clusters, on either side of 0 if they are 0.
    """
    if differences.nunique() != 1:
        return over_items(differences, strata, clusters, weights)
    constant = float(differences.iloc[0])
    n_clusters = clusters.nunique()
    low, high = wilson(abs(constant) * n_clusters, n_clusters)
    bounds = (-high, high) if constant == 0 else (low, high) if constant > 0 else (-high, -low)
    return Interval(*bounds, n_clusters, "items")


@dataclass(frozen=True, slots=True)
class Comparison:
    """First minus second over the `n` items that both answered: means, interval (`difference_over_items`), tests.

    `p` is that of exchanging answers cluster by cluster (`exchanged`), `discordant.p` takes items as independent.
    Means and p-values are NaN without items.
    """

    n: int
    value_a: float
    value_b: float
    interval: Interval
    discordant: Discordant
    p: float

    @property
    def difference(self) -> float:
        """In fractions of one, -1 to 1."""
        return self.value_a - self.value_b


def compare(
    a: pd.Series,
    b: pd.Series,
    clusters: pd.Series,
    strata: pd.Series | None = None,
    weights: pd.Series | None = None,
) -> Comparison:
    """Compare what two runs got for each item, 0 to 1. All series are aligned, without gaps.

    Clusters, strata (by default one) and weights are those of `over_items`; the means are over all items.
    """
    differences = a - b
    strata = pd.Series(0, a.index) if strata is None else strata
    return Comparison(
        n=len(a),
        value_a=float(a.mean()),
        value_b=float(b.mean()),
        interval=difference_over_items(differences, strata, clusters, weights),
        discordant=discordant(a, b),
        p=exchanged(differences, clusters) if len(a) else np.nan,
    )


def holm(p_values: Reals) -> Reals:
    """The p-values, larger, so that all tests together err at most as often as one would (Holm 1979); NaN stays."""
    corrected = np.full(len(p_values), np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1)
    return corrected
