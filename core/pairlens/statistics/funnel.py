"""A funnel: how far groups of answers would differ by chance alone. Shares are in points, from 0 to 100."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from pairlens.statistics.candidates import Reals
from pairlens.statistics.intervals import LEVEL

_DRAWS = 2_000
_BATCH = 1_000_000
_SEED = 20_210_801
_REACH = NormalDist().inv_cdf((1 + LEVEL) / 2)


@dataclass(frozen=True, slots=True)
class Spread:
    """The population deviation of the terms' SS, in points, and by chance alone with 95 % bounds (NaN for one)."""

    sd: float
    expected: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outside:
    """How many terms lie outside the 95 % band around an SS (`centre`), and how many would by chance."""

    centre: float
    n: int
    expected: float


def spread(ss: Reals, sizes: Reals, overall: float) -> Spread:
    """The deviation of the terms' SS; by chance, from binomial draws of the terms' sizes around the overall SS."""
    if len(ss) < 2 or math.isnan(overall):
        return Spread(float(ss.std()) if len(ss) else math.nan, math.nan, math.nan, math.nan)
    generator = np.random.default_rng(_SEED)
    tosses, step = sizes.astype(np.int64), max(1, _BATCH // len(sizes))
    draws = (
        generator.binomial(tosses, overall / 100, (min(step, _DRAWS - start), len(sizes)))
        for start in range(0, _DRAWS, step)
    )
    deviations = np.concatenate([(100 * part / sizes).std(axis=1) for part in draws])
    low, high = np.quantile(deviations, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Spread(float(ss.std()), float(deviations.mean()), float(low), float(high))


def band(sizes: Reals, centre: float) -> tuple[Reals, Reals]:
    """Where 95 % of terms of these sizes have their SS if that of all is `centre` (normal; Spiegelhalter 2005)."""
    reach = _REACH * np.sqrt(centre * (100 - centre) / sizes)
    return np.maximum(centre - reach, 0.0), np.minimum(centre + reach, 100.0)


def outside(ss: Reals, sizes: Reals, centre: float) -> Outside:
    """The terms outside their band, and the number expected by the exact binomial distribution."""
    if math.isnan(centre) or not len(ss):
        return Outside(centre, 0, math.nan)
    from scipy.stats import binom

    low, high = band(sizes, centre)
    share, n = centre / 100, sizes.astype(np.int64)
    below, above = np.ceil(low * n / 100) - 1, np.floor(high * n / 100)
    expected = binom.cdf(below, n, share) + binom.sf(above, n, share)
    return Outside(centre, int(((ss < low) | (ss > high)).sum()), float(expected.sum()))


def coin_icat(sizes: Reals) -> float:
    """The mean per-term ICAT of an unbiased coin with LMS 100: of n tosses 100 (1 - E|heads - tails| / n).

    E|heads - tails| is n C(n - 1, floor((n - 1) / 2)) / 2^(n-1).
    """
    from scipy.stats import binom

    others = sizes.astype(np.int64) - 1
    return float(np.mean(100 * (1 - binom.pmf(others // 2, others, 0.5)))) if len(sizes) else math.nan
