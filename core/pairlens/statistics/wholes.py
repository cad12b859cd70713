"""Intervals of metrics that are no mean over items: of one run's number, and of the difference of two runs'."""

from typing import Protocol, runtime_checkable

import numpy as np
import pandas as pd

from pairlens.statistics.intervals import Interval, Reals
from pairlens.statistics.jackknife import (
    Codes,
    left_out,
    mean_square_of_nothing,
    of_correlation,
    of_mean_square,
    symmetrical,
    without_each,
)
from pairlens.types import Metric


@runtime_checkable
class OfMeans(Protocol):
    """A metric that is a function of means, as ICAT is, from whose intervals its own follow (`mover`)."""

    def interval(self, statistics: pd.DataFrame, clusters: pd.Series) -> Interval:
        """Of a run's number, over clusters of items, with which the rows are aligned."""
        ...

    def interval_of_difference(self, a: pd.DataFrame, b: pd.DataFrame, clusters: pd.Series) -> Interval:
        """Of the first number minus the second; the rows of both are aligned."""
        ...


@runtime_checkable
class MeanSquare(Protocol):
    """A metric that is a mean of squares of correlations, so that it cannot be below 0, whatever the truth."""

    def correlations(self, statistics: pd.DataFrame, codes: Codes) -> tuple[Reals, Reals]:
        """Those of all rows, and without the rows of each code: a row per code, a column per correlation."""
        ...


def interval_method(metric: Metric) -> str:
    """What the way is called in which the interval of a metric that is no mean was found."""
    if isinstance(metric, OfMeans):
        return "MOVER"
    return "jackknife of squared correlations" if isinstance(metric, MeanSquare) else "jackknife"


def interval(metric: Metric, statistics: pd.DataFrame, clusters: pd.Series) -> Interval:
    """The interval of a run's number over clusters of items, aligned with the rows, in any order.

    NaN if there are fewer than two clusters, or no number without one of them.
    """
    statistics, clusters = _by_item(statistics, clusters)
    if isinstance(metric, OfMeans):
        return metric.interval(statistics, clusters)
    codes, n = left_out(clusters)
    if n < 2:
        return Interval(np.nan, np.nan, n, "items")
    if isinstance(metric, MeanSquare):
        return Interval(*of_mean_square(*metric.correlations(statistics, codes)), n, "items")
    bounds = of_correlation if metric.scale == "correlation" else symmetrical
    without = without_each(statistics, codes, metric.value)
    return Interval(*bounds(metric.value(statistics), without), n, "items")


def of_nothing(metric: MeanSquare, statistics: pd.DataFrame, clusters: pd.Series) -> float:
    """What a metric that cannot be below 0 is on average where the truth is 0; NaN if there are no two clusters."""
    statistics, clusters = _by_item(statistics, clusters)
    codes, n = left_out(clusters)
    return mean_square_of_nothing(metric.correlations(statistics, codes)[1]) if n > 1 else np.nan


def interval_of_difference(metric: Metric, a: pd.DataFrame, b: pd.DataFrame, clusters: pd.Series) -> Interval:
    """The same of the first number minus the second; the statistics of both runs are aligned and vary together."""
    (a, _), (b, clusters) = _by_item(a, clusters), _by_item(b, clusters)
    if isinstance(metric, OfMeans):
        return metric.interval_of_difference(a, b, clusters)
    codes, n = left_out(clusters)
    if n < 2:
        return Interval(np.nan, np.nan, n, "items")
    (value_a, without_a), (value_b, without_b) = (_numbers(metric, run, codes) for run in (a, b))
    return Interval(*symmetrical(value_a - value_b, without_a - without_b), n, "items")


def _numbers(metric: Metric, statistics: pd.DataFrame, codes: Codes) -> tuple[float, Reals]:
    """The number of all rows, and without those of each code."""
    if isinstance(metric, MeanSquare):
        correlations, without = metric.correlations(statistics, codes)
        return float(np.mean(correlations**2)), np.mean(without**2, axis=1)
    return metric.value(statistics), without_each(statistics, codes, metric.value)


def _by_item(statistics: pd.DataFrame, clusters: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    """The rows of both in the order of the items, so that how a table was sorted cannot move a bound."""
    order = np.argsort(statistics["item"].astype("str").to_numpy(), kind="stable")
    return statistics.iloc[order].reset_index(drop=True), clusters.iloc[order].reset_index(drop=True)
