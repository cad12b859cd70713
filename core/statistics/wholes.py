"""Intervals of metrics that are no mean over items: of one run's number, and of the difference of two runs'."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import pandas as pd

from core.statistics.intervals import Interval, over_clusters
from core.types import Metric


@runtime_checkable
class OfMeans(Protocol):
    """A metric that is a function of means, as ICAT is: its intervals follow from theirs (`core.statistics.mover`).

    That of all others is the bias-corrected bootstrap (`over_clusters`).
    """

    def interval(self, statistics: pd.DataFrame, clusters: pd.Series) -> Interval:
        """Of a run's number, over clusters of items, with which the rows are aligned."""
        ...

    def interval_of_difference(self, a: pd.DataFrame, b: pd.DataFrame, clusters: pd.Series) -> Interval:
        """Of the first number minus the second; the rows of both are aligned."""
        ...


def interval_method(metric: Metric) -> str:
    """What the interval of a metric that is no mean is called."""
    return "MOVER" if isinstance(metric, OfMeans) else "bias-corrected bootstrap"


def interval(metric: Metric, statistics: pd.DataFrame, clusters: pd.Series) -> Interval:
    """The interval of a run's number over clusters of items, with which the rows of `statistics` are aligned."""
    if isinstance(metric, OfMeans):
        return metric.interval(statistics, clusters)
    return over_clusters(statistics, clusters, metric.value)


def interval_of_difference(metric: Metric, a: pd.DataFrame, b: pd.DataFrame, clusters: pd.Series) -> Interval:
    """The same of the first number minus the second; the statistics of both runs are aligned and drawn together."""
    if isinstance(metric, OfMeans):
        return metric.interval_of_difference(a, b, clusters)
    numbers = b.select_dtypes("number")
    return over_clusters(a, clusters, lambda rows: metric.value(rows) - metric.value(numbers.loc[rows.index]))
