"""Answers with a known truth, and how often the intervals and tests about them are right.

A condition says what is drawn; `simulate` draws it and asks the project's public functions. `CONDITIONS` are all of
them: `python -m tests.statistics.table` prints how each fares.

There is no `__init__.py` in this folder: it would hide Python's own module `statistics` from the tests.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, product
from zlib import crc32

import numpy as np
import pandas as pd

from pairlens.statistics.intervals import Interval, over_items, over_paradigms
from pairlens.statistics.paired import compare

Strata = tuple[tuple[int, ...], ...]
"""For each stratum the number of items in each of its clusters."""

LARGE_AND_SMALL: Strata = tuple((1,) * n for n in (842, 64, 165, 3_867, 280))
CLUSTERED: Strata = tuple((5,) * n for n in (168, 13, 33, 773, 56))
MANY: Strata = ((1,) * 30,) * 67
TINY: Strata = ((1, 1), (1, 1, 1)) * 15
FAMILIES = (4, 8, 12, 2, 3, 6, 10, 2, 5, 8, 3, 2, 2)
"""Paradigms in each family, 67 together."""
ANSWERED = 100
"""Items of each paradigm."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`shares`: of each run the true share of each stratum, whose mean is estimated, or of two runs the difference.

    Clusters have their own shares (beta-binomial, correlation `icc` within them), in each run others, so that the
    differences of a cluster's items go together. The clusters of `paradigms` are a sample of all that there are, and
    their strata, which are fixed, families.
    """

    kind: str
    name: str
    strata: Strata
    shares: tuple[tuple[float, ...], ...]
    icc: float

    @property
    def independent(self) -> int:
        return sum(map(len, self.strata))

    @property
    def truth(self) -> float:
        first, *second = map(np.mean, self.shares)
        return float(first - sum(second))


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


def unequal(n: int) -> Strata:
    return (tuple(np.linspace(1, 20, n).round().astype(int).tolist()),)


def of_items() -> Iterator[Condition]:
    """One stratum of few clusters; several strata of one cluster per item, and of clusters of five."""
    alone = (("1", 0.0), ("1 to 20", 0.0), ("1 to 20", 0.1), ("1 to 20", 0.5))
    for n, (sizes, icc), share in product((2, 3, 5, 10, 30), alone, (0.5, 0.9, 0.98)):
        strata: Strata = ((1,) * n,) if sizes == "1" else unequal(n)
        yield Condition("items", f"{n} clusters of {sizes}, share {share}, icc {icc}", strata, ((share,),), icc)
    several = (
        ("5 strata of 64 to 3,867 items", LARGE_AND_SMALL, 0.0), ("the same in clusters of 5", CLUSTERED, 0.1),
        ("67 strata of 30", MANY, 0.0), ("30 strata of 2 or 3", TINY, 0.0),
    )  # fmt: skip
    for (about, strata, icc), share in product(several, (0.5, 0.9, 0.98)):
        odds = share / (1 - share) * np.exp(np.linspace(-0.5, 0.5, len(strata)))
        around = (tuple((odds / (1 + odds)).tolist()),)
        yield Condition("items", f"{about}, share {share}, icc {icc}", strata, around, icc)


def of_paradigms() -> Iterator[Condition]:
    """A few to 67 paradigms as one family, and 67 in 13 families."""
    alone = ((f"{n} paradigms", (n,), share) for n, share in product((3, 5, 13, 67), (0.5, 0.8, 0.9)))
    for about, families, share in chain(alone, (("67 in 13 families", FAMILIES, share) for share in (0.5, 0.8))):
        strata = tuple((1,) * n for n in families)
        yield Condition("paradigms", f"{about}, share {share}", strata, ((share,) * len(strata),), 0.1)


def of_pairs() -> Iterator[Condition]:
    """No difference and one of ten points; differences that cancel in the mean over strata, though not over items."""
    for n, icc, (first, second) in product((5, 10, 30), (0.0, 0.1, 0.5), ((0.5, 0.5), (0.9, 0.9), (0.7, 0.6))):
        name = f"{n} clusters, {first} and {second}, icc {icc}"
        yield Condition("paired", name, unequal(n), ((first,), (second,)), icc)
    alike = (0.7,) * 5
    for about, strata, icc in (("5 strata", LARGE_AND_SMALL, 0.0), ("5 strata, clusters of 5", CLUSTERED, 0.1)):
        yield Condition("paired", f"{about}, alike", strata, (alike, alike), icc)
        yield Condition("paired", f"{about}, cancelling", strata, ((0.72, 0.72, 0.72, 0.62, 0.72), alike), icc)
        yield Condition("paired", f"{about}, 0.7 and 0.65", strata, (alike, (0.65,) * 5), icc)
    yield Condition("paired", "30 strata of 2 or 3, alike", TINY, ((0.7,) * 30,) * 2, 0.0)


CONDITIONS = [*of_items(), *of_paradigms(), *of_pairs()]


def simulate(condition: Condition, draws: int) -> Result:
    """Draw the condition so often, the same in every call, and count."""
    generator = np.random.default_rng(crc32(condition.name.encode()))
    sizes = [*chain(*condition.strata)]
    of_cluster = np.repeat(range(len(condition.strata)), [len(one) for one in condition.strata])
    if condition.kind == "paradigms":
        means = generator.binomial(ANSWERED, _of_clusters(condition, 0, draws, generator)) / ANSWERED
        families = [*map(str, of_cluster)] if len(condition.strata) > 1 else None
        return _counted([over_paradigms(row, families) for row in means], condition.truth)
    strata, clusters = (pd.Series(np.repeat(names, sizes)).astype(str) for names in (of_cluster, range(len(sizes))))
    runs = [
        (generator.random((draws, sum(sizes))) < np.repeat(shares, sizes, axis=1)) * 1.0
        for run in range(len(condition.shares))
        for shares in [_of_clusters(condition, run, draws, generator)]
    ]
    if condition.kind == "items":
        return _counted([over_items(pd.Series(row), strata, clusters) for row in runs[0]], condition.truth)
    found = [compare(pd.Series(a), pd.Series(b), clusters, strata) for a, b in zip(*runs, strict=True)]
    errors = [one.p <= 0.05 for one in found] if abs(condition.truth) <= 1e-9 else np.nan
    return _counted([one.interval for one in found], condition.truth, float(np.mean(errors)))


def _of_clusters(condition: Condition, run: int, draws: int, generator: np.random.Generator) -> np.ndarray:
    """The share of each cluster in a run; shape (draws, clusters)."""
    shares = np.repeat(condition.shares[run], [len(one) for one in condition.strata])
    if not condition.icc:
        return np.broadcast_to(shares, (draws, len(shares)))
    size = (1 - condition.icc) / condition.icc
    return generator.beta(size * shares, size * (1 - shares), (draws, len(shares)))


def _counted(intervals: list[Interval], truth: float, error: float = np.nan) -> Result:
    low, high = np.array([(one.low, one.high) for one in intervals]).T
    return counted(low, high, np.full(len(low), truth), error)


def counted(low: np.ndarray, high: np.ndarray, truth: np.ndarray, error: float = np.nan) -> Result:
    known = ~np.isnan(low)
    if not known.any():
        return Result(np.nan, np.nan, 1.0, error)
    covered = (low <= truth + 1e-12) & (truth - 1e-12 <= high)
    return Result(float(covered[known].mean()), float((high - low)[known].mean()), float(1 - known.mean()), error)
