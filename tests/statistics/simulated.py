"""Answers with a known truth, and how often the intervals and tests about them are right.

A condition says what is drawn; `simulate` draws it and asks the project's public functions. `CONDITIONS` are all of
them: `python -m tests.statistics.table` prints how each fares.

There is no `__init__.py` in this folder: it would hide Python's own module `statistics` from the tests.
"""

from dataclasses import dataclass
from itertools import chain, product
from zlib import crc32

import numpy as np
import pandas as pd

from core.statistics.intervals import Interval, over_items, over_paradigms
from core.statistics.paired import compare

Strata = tuple[tuple[int, ...], ...]
"""For each stratum the number of items in each of its clusters."""

LARGE_AND_SMALL: Strata = tuple((1,) * n for n in (842, 64, 165, 3_867, 280))
CLUSTERED: Strata = tuple((5,) * n for n in (168, 13, 33, 773, 56))
MANY: Strata = ((1,) * 30,) * 67
TINY: Strata = ((1, 1), (1, 1, 1)) * 15
FAMILIES = (4, 8, 12, 2, 3, 6, 10, 2, 5, 8, 3, 2, 2)
"""Paradigms in each family, 67 together."""


@dataclass(frozen=True, slots=True)
class Items:
    """The mean of the strata's means. Clusters have their own shares (beta-binomial, correlation `icc` within them);
    the strata's true shares lie around `share` if there are several."""

    name: str
    strata: Strata
    share: float
    icc: float

    @property
    def independent(self) -> int:
        return sum(map(len, self.strata))


@dataclass(frozen=True, slots=True)
class Paradigms:
    """The mean of a population of paradigms with `icc` between them, of each of which `n_items` items are answered.

    `families` has the number of paradigms in each; the families are fixed and their true shares are all `share`.
    """

    name: str
    families: tuple[int, ...]
    share: float
    icc: float
    n_items: int

    @property
    def independent(self) -> int:
        return sum(self.families)


@dataclass(frozen=True, slots=True)
class Paired:
    """The difference of two runs: by stratum its true size in the first and, subtracted, in the second run.

    Each run has its own share in each cluster, so that the differences of a cluster's items go together.
    """

    name: str
    strata: Strata
    first: tuple[float, ...]
    second: tuple[float, ...]
    icc: float

    @property
    def independent(self) -> int:
        return sum(map(len, self.strata))

    @property
    def difference(self) -> float:
        return float(np.mean(self.first) - np.mean(self.second))


Condition = Items | Paradigms | Paired


@dataclass(frozen=True, slots=True)
class Result:
    """Shares of draws, and the mean width of the intervals (in fractions of one).

    `coverage`: of the intervals that there are; NaN if there is none. `none`: draws without an interval. `error`:
    draws with p at most .05 where nothing differs; NaN where something does or nothing is tested.
    """

    coverage: float
    width: float
    none: float
    error: float = np.nan


def of_items() -> list[Items]:
    """One stratum of few clusters; several strata of one cluster per item, and of clusters of five."""
    found = []
    for n, (sizes, icc), share in product(
        (2, 3, 5, 10, 30), (("1", 0.0), ("1 to 20", 0.0), ("1 to 20", 0.1), ("1 to 20", 0.5)), (0.5, 0.9, 0.98)
    ):
        clusters = (1,) * n if sizes == "1" else tuple(np.linspace(1, 20, n).round().astype(int).tolist())
        found.append(Items(f"{n} clusters of {sizes}, share {share}, icc {icc}", (clusters,), share, icc))
    several = (
        ("5 strata of 64 to 3,867 items", LARGE_AND_SMALL, 0.0), ("the same in clusters of 5", CLUSTERED, 0.1),
        ("67 strata of 30", MANY, 0.0), ("30 strata of 2 or 3", TINY, 0.0),
    )  # fmt: skip
    for (about, strata, icc), share in product(several, (0.5, 0.9, 0.98)):
        found.append(Items(f"{about}, share {share}, icc {icc}", strata, share, icc))
    return found


def of_paradigms() -> list[Paradigms]:
    """A few to 67 paradigms as one family, and 67 in 13 families."""
    alone = product((3, 5, 13, 67), (0.5, 0.8, 0.9))
    return [
        *(Paradigms(f"{n} paradigms, share {share}", (n,), share, 0.1, 100) for n, share in alone),
        *(Paradigms(f"67 in 13 families, share {share}", FAMILIES, share, 0.1, 100) for share in (0.5, 0.8)),
    ]


def of_pairs() -> list[Paired]:
    """No difference and one of ten points; differences that cancel in the mean over strata, though not over items."""
    found = []
    for n, icc, (first, second) in product((5, 10, 30), (0.0, 0.1, 0.5), ((0.5, 0.5), (0.9, 0.9), (0.7, 0.6))):
        clusters = tuple(np.linspace(1, 20, n).round().astype(int).tolist())
        found.append(Paired(f"{n} clusters, {first} and {second}, icc {icc}", (clusters,), (first,), (second,), icc))
    cancelling = (0.72, 0.72, 0.72, 0.62, 0.72), (0.70, 0.70, 0.70, 0.70, 0.70)
    for about, strata, icc in (("5 strata", LARGE_AND_SMALL, 0.0), ("5 strata, clusters of 5", CLUSTERED, 0.1)):
        found += [
            Paired(f"{about}, alike", strata, (0.7,) * 5, (0.7,) * 5, icc),
            Paired(f"{about}, cancelling", strata, *cancelling, icc),
            Paired(f"{about}, 0.7 and 0.65", strata, (0.7,) * 5, (0.65,) * 5, icc),
        ]
    found.append(Paired("30 strata of 2 or 3, alike", TINY, (0.7,) * 30, (0.7,) * 30, 0.0))
    return found


CONDITIONS: list[Condition] = [*of_items(), *of_paradigms(), *of_pairs()]


def simulate(condition: Condition, draws: int) -> Result:
    """Draw the condition so often, the same in every call, and count."""
    generator = np.random.default_rng(crc32(condition.name.encode()))
    of_kind = {Items: _simulate_items, Paradigms: _simulate_paradigms, Paired: _simulate_pairs}
    return of_kind[type(condition)](condition, draws, generator)


def _simulate_items(condition: Items, draws: int, generator: np.random.Generator) -> Result:
    shares = np.full(1, condition.share)
    if len(condition.strata) > 1:
        odds = condition.share / (1 - condition.share) * np.exp(np.linspace(-0.5, 0.5, len(condition.strata)))
        shares = odds / (1 + odds)
    strata, clusters = _groups(condition.strata)
    answers = _answers(condition.strata, shares, condition.icc, draws, generator)
    return _counted([over_items(pd.Series(row), strata, clusters) for row in answers], float(shares.mean()))


def _simulate_paradigms(condition: Paradigms, draws: int, generator: np.random.Generator) -> Result:
    shares = _of_clusters(np.full(condition.independent, condition.share), condition.icc, draws, generator)
    means = generator.binomial(condition.n_items, shares) / condition.n_items
    families = None
    if len(condition.families) > 1:
        families = [str(place) for place, n in enumerate(condition.families) for _ in range(n)]
    return _counted([over_paradigms(row, families) for row in means], condition.share)


def _simulate_pairs(condition: Paired, draws: int, generator: np.random.Generator) -> Result:
    strata, clusters = _groups(condition.strata)
    both = [
        _answers(condition.strata, np.array(shares), condition.icc, draws, generator)
        for shares in (condition.first, condition.second)
    ]
    found = [compare(pd.Series(a), pd.Series(b), clusters, strata) for a, b in zip(*both, strict=True)]
    counted = _counted([one.interval for one in found], condition.difference)
    if abs(condition.difference) > 1e-9:
        return counted
    return Result(counted.coverage, counted.width, counted.none, float(np.mean([one.p <= 0.05 for one in found])))


def _groups(strata: Strata) -> tuple[pd.Series, pd.Series]:
    sizes = [*chain(*strata)]
    of_cluster = np.repeat([f"s{place}" for place in range(len(strata))], [len(one) for one in strata])
    names = np.array([f"c{place}" for place in range(len(sizes))])
    return pd.Series(np.repeat(of_cluster, sizes)), pd.Series(np.repeat(names, sizes))


def _answers(
    strata: Strata, shares: np.ndarray, icc: float, draws: int, generator: np.random.Generator
) -> np.ndarray:
    """Right (1) or wrong (0); shape (draws, items)."""
    sizes = np.array([*chain(*strata)])
    of_clusters = _of_clusters(np.repeat(shares, [len(one) for one in strata]), icc, draws, generator)
    return (generator.random((draws, sizes.sum())) < np.repeat(of_clusters, sizes, axis=1)) * 1.0


def _of_clusters(shares: np.ndarray, icc: float, draws: int, generator: np.random.Generator) -> np.ndarray:
    """The share of each cluster; shape (draws, clusters)."""
    if not icc:
        return np.broadcast_to(shares, (draws, len(shares)))
    size = (1 - icc) / icc
    return generator.beta(size * shares, size * (1 - shares), (draws, len(shares)))


def _counted(intervals: list[Interval], truth: float) -> Result:
    low, high = np.array([(one.low, one.high) for one in intervals]).T
    known = ~np.isnan(low)
    if not known.any():
        return Result(np.nan, np.nan, 1.0)
    covered = (low[known] <= truth + 1e-12) & (truth - 1e-12 <= high[known])
    return Result(float(covered.mean()), float((high - low)[known].mean()), float(1 - known.mean()))
