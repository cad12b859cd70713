"""Two sets of answers to the same items: how large is their difference, and is it more than chance?"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.statistics.intervals import Interval, can_vary, quantile
from pairlens.statistics.strata import Stratified

Reals = NDArray[np.float64]

_PARTS = 60
"""Differences of credit are multiples of one in so many: a tie counts one half, or one in up to six candidates."""
_GRID = 1 << 16
"""Points on which the distribution of an exchanged sum is found, evenly from the least to the largest."""
_LEAST = 1e-15
"""What is less likely is the rounding of a Fourier transform."""
_MANY = 1_000
"""As many equal clusters as clusters of several sizes are worth: beyond, the normal distribution is close."""


@dataclass(frozen=True, slots=True)
class Discordant:
    """Items that only one of two runs has right; one of which a run has part of the credit (a tie) is in neither."""

    only_a: int
    only_b: int

    @property
    def p(self) -> float:
        """McNemar's (1947) exact two-sided p-value, of independent items; 1 if there is none."""
        from scipy.stats import binomtest

        n = self.only_a + self.only_b
        return float(binomtest(self.only_a, n).pvalue) if n else 1.0

    @property
    def mid_p(self) -> float:
        """The same with half of what is as likely as seen (Fagerland, Lydersen & Laake 2013)."""
        from scipy.stats import binom

        n = self.only_a + self.only_b
        return float(self.p - binom.pmf(self.only_a, n, 0.5)) if self.only_a != self.only_b else float(self.p)


def discordant(correct_a: pd.Series, correct_b: pd.Series) -> Discordant:
    """Count the items that exactly one run has right. The series are aligned, 0 to 1 per item."""
    a, b = correct_a.to_numpy(np.float64), correct_b.to_numpy(np.float64)
    return Discordant(int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum()))


def exchanged(differences: pd.Series, clusters: pd.Series, shares: Reals | None = None) -> float:
    """The two-sided p-value of exchanging the two runs' answers, those to all items of a cluster together.

    Were the runs alike, it would be a fair coin for each cluster which of them gave which answers (Fisher 1935). The
    sum that is as far from 0 or farther is that of the differences, each times its share (`Stratified.shares`; by
    default all are equal), so that what is tested is what is estimated. For items on their own, each right or wrong
    and of equal shares, it is McNemar's exact test (`Discordant.p`).

    Exact where shares are equal and credit comes in halves to sixths; otherwise sums are rounded to a fine grid, and
    normal, as Yang, Sun & Hardin (2010, Biometrical Journal) have it, where more than `_MANY` clusters differ. The
    Fourier transform (Pagano & Tritchler 1983) is exact to about 1e-15, which is the least p. 1 where no cluster
    differs. The series are aligned.
    """
    from scipy.stats import binomtest, norm

    equal = shares is None or bool(np.ptp(shares) <= 1e-12 * np.max(shares, initial=0))
    weighted = differences.to_numpy(np.float64) * (1.0 if equal else shares)
    sums = pd.Series(weighted).groupby(clusters.to_numpy(), dropna=False).sum().to_numpy(np.float64)
    sums = sums[np.abs(sums) > 1e-9 * np.abs(sums).max(initial=0)]
    if not len(sums):
        return 1.0
    if np.ptp(np.abs(sums)) <= 1e-9 * np.abs(sums).max():
        return float(binomtest(int((sums > 0).sum()), len(sums)).pvalue)
    if (sums**2).sum() ** 2 > _MANY * (sums**4).sum():
        return float(2 * norm.sf(abs(sums.sum()) / np.sqrt((sums**2).sum())))
    return _as_far_from_0(*_on_grid(sums, whole=equal))


def _on_grid(sums: Reals, *, whole: bool) -> tuple[NDArray[np.int64], int]:
    """The sums as integers, together at most half of `_GRID` (more if many); by how much rounding parts equals."""
    half = max(_GRID // 2, 4 * len(sums))
    parts = np.rint(sums * _PARTS).astype(np.int64)
    if whole and np.allclose(sums * _PARTS, parts, atol=1e-6):
        parts //= np.gcd.reduce(parts)
        if np.abs(parts).sum() < half:
            return parts, 0
    scale = (half - len(sums)) / np.abs(sums).sum()
    return np.asarray(np.rint(sums * scale), np.int64), int(np.sqrt(len(sums))) + 1


def _as_far_from_0(parts: NDArray[np.int64], tolerance: int) -> float:
    """How likely so many signed sizes, each with a fair coin's sign, sum up to at least as much as theirs.

    The characteristic function of the sum is a product of cosines; its Fourier transform is the distribution.
    """
    from scipy.fft import irfft, next_fast_len

    sizes, counts = np.unique(np.abs(parts), return_counts=True)
    most = int(np.abs(parts).sum())
    n_points = next_fast_len(2 * most + 1, real=True)
    angles = np.arange(n_points // 2 + 1) * (2 * np.pi / n_points)
    characteristic = np.ones(len(angles))
    for size, count in zip(sizes, counts, strict=True):
        characteristic *= np.cos(size * angles) ** count
    chances = irfft(characteristic, n_points)
    least = abs(int(parts.sum())) - tolerance
    p = 2 * chances[least : most + 1].sum() if least > 0 else 1.0
    return float(min(1.0, max(p, _LEAST, 2.0 ** (1 - len(parts)))))


def difference_over_items(
    differences: pd.Series, strata: pd.Series, clusters: pd.Series, weights: pd.Series | None = None
) -> Interval:
    """For the mean of the strata's mean differences (-1 to 1): the adjusted interval of Bonett & Price (2012).

    Theirs adds one item that only the first run has right and one that only the second has; n is here as many
    independent items as have the variance of the mean, the quantile Student's, as in `over_items`, which says what
    strata, clusters and weights are and where there is no interval.
    """
    sample = Stratified(differences, strata, clusters, weights)
    if not can_vary(sample):
        return Interval(np.nan, np.nan, sample.n_clusters, "items")
    mean, differing = sample.mean(), sample.mean(np.abs(sample.values))
    varies = sample.variance > 0
    n = sample.spread / max(sample.variance, sample.variance_of_items) if varies else sample.least_size
    centre, differing = mean * n / (n + 2), (differing * n + 2) / (n + 2)
    reach = quantile(sample.freedom if varies else np.inf) * np.sqrt((differing - centre**2) / (n + 2))
    low, high = (float(np.clip(centre + by, -1, 1)) for by in (-reach, reach))
    return Interval(low, high, sample.n_clusters, "items", sample.freedom)


@dataclass(frozen=True, slots=True)
class Comparison:
    """First minus second over the `n` items that both answered; means and p-values are NaN without items.

    `p` is that of `exchanged`, `discordant.p` takes items as independent.
    """

    n: int
    value_a: float
    value_b: float
    interval: Interval
    discordant: Discordant
    p: float

    @property
    def difference(self) -> float:
        return self.value_a - self.value_b


def compare(
    a: pd.Series, b: pd.Series, clusters: pd.Series, strata: pd.Series | None = None, weights: pd.Series | None = None
) -> Comparison:
    """What two runs got for each item, 0 to 1, aligned and without gaps; the rest is as in `over_items`."""
    differences = a - b
    strata = pd.Series(0, a.index) if strata is None else strata
    sample = Stratified(differences, strata, clusters, weights)
    return Comparison(
        n=len(a),
        value_a=sample.mean(a.to_numpy(np.float64)),
        value_b=sample.mean(b.to_numpy(np.float64)),
        interval=difference_over_items(differences, strata, clusters, weights),
        discordant=discordant(a, b),
        p=exchanged(differences, clusters, sample.shares) if len(a) else np.nan,
    )


def compare_means(a: pd.Series, b: pd.Series) -> Comparison:
    """Two runs' means of the same clusters, aligned: Student's t; the interval of `compare` if all differ alike."""
    clusters = pd.Series(range(len(a)), a.index)
    comparison, differences = compare(a, b, clusters), a - b
    if len(a) < 2 or np.ptp(differences) < 1e-9:
        return comparison
    reach = quantile(len(a) - 1) * differences.std() / np.sqrt(len(a))
    low, high = (float(np.clip(comparison.difference + by, -1, 1)) for by in (-reach, reach))
    return replace(comparison, interval=Interval(low, high, len(a), "items", len(a) - 1))


def holm(p_values: Reals) -> Reals:
    """The p-values, larger, so that all tests together err at most as often as one would (Holm 1979); NaN stays."""
    corrected = np.full(len(p_values), np.nan)
    known = np.flatnonzero(~np.isnan(p_values))
    order = known[np.argsort(p_values[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p_values[order] * factors), 1)
    return corrected
