"""A run's numbers as one table."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.messages import Message, joined, one_or_more
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.statistics import wholes
from pairlens.statistics.few import FEW, worth
from pairlens.statistics.intervals import Interval, over_items, over_paradigms
from pairlens.types import Metric, Task

Codes = NDArray[np.int64]
Reals = NDArray[np.float64]

OVERALL = "overall"
"""The `group_by` of numbers about the whole run; their `group` is `macro` or `micro`."""

CLUSTER = "contrast"
"""The group whose items are not independent in most tasks (`Task.clusters`)."""
NAMED = "given_contrast"
"""The group of a column `contrast` in a table of anyone's."""
_MUCH = 1.5
"""How many times as wide an interval differs much."""


def summarise(
    candidates: pd.DataFrame, task: Task, policy: Policy, rule: str = "", only: Sequence[str] = ()
) -> pd.DataFrame:
    """Every metric of the task that is defined under the rule (by default the usual one), overall and per group.

    With `only`, these of its metrics.

    `candidates` is a candidate table (`pairlens.metrics`). One row per number:

    name                   the metric
    group_by, group        the column and its value; `overall` with `macro` (the mean of means over the task's
                           `averaged`), `micro` (mean over items) or `all` (a metric that is not a mean). Groups are
                           macro-averages too
    value                  the number, in the metric's scale
    n, ties, undecided     items that count, exact ties among them, decisions within 1e-4 nats
    excluded               items that do not count because a candidate could not be scored
    length_only            the value for choosing by the number of tokens alone
    chance                 the value for choosing at random; of predictive power, which cannot be below 0, what it is
                           on average where the truth is 0
    low, high              95 % interval
    over, n_clusters       what it generalises over, `items` or `paradigms`, and how many of them are independent
    freedom                degrees of freedom of its variance, if known
    n_contrasts, low_contrasts, high_contrasts    only where contrasts are guessed (`clusters_of`): their number, and
                           the interval that generalises to new ones; none if they are worth too few

    The headline is the first row. For a metric that is a mean, it is the macro-average with an interval over items;
    the second row is the same number with the wider interval that treats the paradigms as a sample too. A task
    without `averaged` has one overall row, `micro`.
    """
    names = only or metrics_under(task, rule)
    return pd.DataFrame([row for name in names for row in _rows_of(METRICS[name], candidates, task, policy)])


def summarise_overall(
    candidates: pd.DataFrame, task: Task, policy: Policy, rule: str = "", only: Sequence[str] = ()
) -> pd.DataFrame:
    """The first row of each metric of such a summary; the others are not computed."""
    names = only or metrics_under(task, rule)
    return pd.DataFrame([next(_rows_of(METRICS[name], candidates, task, policy)) for name in names])


def _rows_of(metric: Metric, candidates: pd.DataFrame, task: Task, policy: Policy) -> Iterator[dict[str, Any]]:
    """The rows of one metric, those about the whole run first."""
    statistics = metric.statistics(candidates, policy)
    of_metric = _means if metric.averages else _wholes
    return of_metric(metric, statistics, task)


def clusters_of(statistics: pd.DataFrame, task: Task, fixed: Sequence[str] = ()) -> pd.Series:
    """By item, what a repetition would draw anew: of the task's `clusters`, unless these are guessed or `fixed`.

    Of guessed ones it is the contrast that a column of the data names; else the item.
    """
    unit = NAMED if task.guessed else task.clusters
    return statistics[unit if unit in statistics and task.clusters not in fixed else "item"]


def metrics_under(task: Task, rule: str = "") -> list[str]:
    """The task's metrics that are defined under a rule (by default the usual one), headline first."""
    chosen = rule or task.rules[0]
    return [name for name in task.metrics if chosen in (METRICS[name].under or task.rules)]


def mean_of_means(statistics: pd.DataFrame, levels: Sequence[str], column: str = "correct") -> float:
    """The mean over the values of the first level of the means over those of the next, and so on; NaN of nothing."""
    return _mean_of_cells(statistics[column], *_cells(statistics, levels))


def _cells(statistics: pd.DataFrame, levels: Sequence[str]) -> tuple[Codes, list[Codes]]:
    """By row, the number of its cell of these columns, -1 where it lacks a value; by level, the parent of each cell.

    Cells are numbered as they appear. The parent of a cell is the cell of the columns before.
    """
    cell, parents = np.zeros(len(statistics), np.int64), list[Codes]()
    for name in levels:
        code, values = pd.factorize(statistics[name])
        joint = np.where((cell < 0) | (code < 0), -1, cell * len(values) + code)
        numbers = pd.unique(joint[joint >= 0])
        cell = pd.Index(numbers).get_indexer(joint)
        parents.append(numbers // max(len(values), 1))
    return cell, parents


def _mean_of_cells(column: pd.Series, cell: Codes, parents: Sequence[Codes]) -> float:
    """The mean over the cells of the first level of the means over those of the next, and so on, to the values."""
    values = column.to_numpy(np.float64)
    for parent in (cell, *reversed(parents[1:])) if parents else ():
        known = (parent >= 0) & ~np.isnan(values)
        count = np.bincount(parent[known], minlength=parent.max(initial=-1) + 1)
        total = np.bincount(parent[known], values[known], len(count))
        values = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


def headline(metrics: pd.DataFrame) -> dict[str, float | int | None]:
    """The first number of a summary with its interval and counts; None where there is no number."""
    first = metrics.iloc[0]
    numbers = {name: float(first[name]) for name in ("value", "low", "high")}
    counts = {name: int(first[name]) for name in ("n", "ties", "undecided", "excluded")}
    return {name: None if math.isnan(number) else number for name, number in numbers.items()} | counts


def headlines(metrics: pd.DataFrame) -> pd.DataFrame:
    return metrics.drop_duplicates("name")


def summary_in_words(row: pd.Series, clusters: str = CLUSTER) -> Message:
    """A row of a summary: the number, its interval and what it generalises over, and the counts of items."""
    metric = METRICS[row["name"]]
    title = metric.title[:1].lower() + metric.title[1:]
    n, ties, undecided, excluded = (int(row[name]) for name in ("n", "ties", "undecided", "excluded"))
    if math.isnan(row["value"]):
        return joined(
            (title, Message("no number ({n:,} items count, {excluded:,} do not)", n=n, excluded=excluded)), ": "
        )
    number = written(row["value"], metric.scale)
    if not math.isnan(row["low"]):
        low, high = (written(row[name], metric.scale, 1) for name in ("low", "high"))
        over = generalises_over(row, clusters)
        interval = Message("(95 % interval {low} to {high}, over {over})", low=low, high=high, over=over)
        number = joined((number, interval))
    else:
        number = joined((number, Message("(no interval: {why})", why=no_interval(row, metric.name, clusters))))
    parts = [joined((title, number)), *filter(None, [against_nothing(row)]), counted_units(n, "item")]
    if metric.averages:
        parts += [Message("{n:,} ties", n=ties), Message("{n:,} undecided by precision", n=undecided)]
    parts.append(Message("{n:,} left out", n=excluded))
    if not math.isnan(row["length_only"]):
        alone = written(row["length_only"], metric.scale, 1)
        parts.append(Message("by number of tokens alone {value}", value=alone))
    return joined(parts, ", ")


def against_nothing(row: pd.Series) -> Message | None:
    """Of a number that cannot be below 0: what it is by chance, and whether its interval begins at 0."""
    if not isinstance(METRICS[row["name"]], wholes.MeanSquare) or math.isnan(row["chance"]):
        return None
    chance = written(row["chance"], METRICS[row["name"]].scale)
    if row["value"] <= row["chance"]:
        return Message("no more than the {chance} that no predictive power gives on average", chance=chance)
    if row["low"] > 0:
        return Message("more than the {chance} that no predictive power gives on average (p < 0.05)", chance=chance)
    return Message("not reliably more than the {chance} that no predictive power gives on average", chance=chance)


def generalises_over(row: pd.Series, clusters: str = CLUSTER) -> Message:
    """What a repetition would draw anew, counted: items, the fewer `clusters` that they share, or paradigms."""
    units, n = independent_units(row, clusters), int(row["n_clusters"])
    equal = worth(n, row.get("freedom", math.nan))
    if equal < 0.9 * n:
        units = Message("{units}, worth {n:,} of equal size", units=units, n=equal)
    if not pd.isna(row.get("n_contrasts")):
        units = _with_contrasts(row, units)
    return Message("{units}, too few to rely on", units=units) if are_few(row) else units


def are_few(row: pd.Series) -> bool:
    """Whether an interval is over so few units that it is not to be relied on."""
    return worth(int(row["n_clusters"]), row.get("freedom", math.nan)) < FEW


def _with_contrasts(row: pd.Series, units: Message) -> Message:
    """The items and their guessed contrasts; how new contrasts would fare, if that is much less sure or unknown."""
    same = counted_units(int(row["n_contrasts"]), CLUSTER)
    if pd.isna(row["low_contrasts"]):
        return Message("{units} with {same}, too few to tell of new ones", units=units, same=same)
    scale = METRICS[row["name"]].scale if "name" in row else "points"
    low, high = (written(row[f"{end}_contrasts"], scale, 1) for end in ("low", "high"))
    if row["high_contrasts"] - row["low_contrasts"] < _MUCH * (row["high"] - row["low"]):
        return units
    return Message(
        "{units} with {same}; {low} to {high} over new contrasts", units=units, same=same, low=low, high=high
    )


def no_interval(row: pd.Series, metric: str, clusters: str = CLUSTER) -> Message:
    """Why a number, or a difference of two, has no interval, as a clause."""
    if pd.isna(row["n_clusters"]):
        return Message("one of the numbers has none")
    units = independent_units(row, clusters)
    if row["n_clusters"] < 2:
        return Message("there is only {units}", units=units)
    if METRICS[metric].averages:
        return Message("too many paradigms have a single independent contrast")
    return Message("without one of {units} there is no number, or it is at the end of its scale", units=units)


def independent_units(row: pd.Series, clusters: str = CLUSTER) -> Message:
    n = int(row["n_clusters"])
    if row.get("over", "items") != "items":
        return counted_units(n, "paradigm")
    return counted_units(n, "item" if n == row["n"] else clusters)


def counted_units(n: int, unit: str) -> Message:
    """So many of what `unit_of` names, as people call them."""
    if unit == "paradigm":
        return one_or_more("{n:,} paradigm", "{n:,} paradigms", n=n)
    if unit == "item":
        return one_or_more("{n:,} item", "{n:,} items", n=n)
    if unit == CLUSTER:
        return one_or_more("{n:,} independent contrast", "{n:,} independent contrasts", n=n)
    return one_or_more("{n:,} target term", "{n:,} target terms", n=n)


_WRITTEN = {
    "share": Message("{value:.{digits}f} %"), "points": Message("{value:.{digits}f} points"),
    "correlation": Message("{value:.{digits}f}"), "bits": Message("{value:.{digits}f} bits"),
    "ratio": Message("{value:.{digits}f}"),
}  # fmt: skip


def written(value: float, scale: str, digits: int = 2) -> Message:
    """A number as its metric's scale is written: `63.41 %`, `0.213`, `7.25 bits`; differences of shares: `points`."""
    factor = 100 if scale in ("share", "points") else 1
    digits += 1 if scale in ("correlation", "ratio") else 0
    return Message(_WRITTEN[scale], value=round(factor * value, digits) + 0.0, digits=digits)  # no -0.0


def _wholes(metric: Metric, statistics: pd.DataFrame, task: Task) -> Iterator[dict[str, Any]]:
    """A metric that is no mean: the number, and by the task's main group if that varies and has one within it."""
    yield {**_named(metric, OVERALL, "all"), **_whole(metric, statistics, task)}
    main = task.groups[0]
    if statistics[main].nunique() > 1:
        for group, part in statistics.groupby(main, sort=False):
            row = {**_named(metric, main, str(group)), **_whole(metric, part, task, drawn=False)}
            if not math.isnan(row["value"]):
                yield row


def _whole(metric: Metric, statistics: pd.DataFrame, task: Task, *, drawn: bool = True) -> dict[str, Any]:
    """The number and, if `drawn`, its interval, which would take long for many groups."""
    counted = statistics[statistics["excluded"].isna()]
    clusters = clusters_of(counted, task)
    row = {"value": metric.value(counted), **_counts(statistics, counted)}
    if not drawn:
        return row | _bounds(Interval(math.nan, math.nan, clusters.nunique(), "items"))
    if isinstance(metric, wholes.MeanSquare):
        row["chance"] = wholes.of_nothing(metric, counted, clusters)
    return row | _bounds(wholes.interval(metric, counted, clusters))


def _means(metric: Metric, statistics: pd.DataFrame, task: Task) -> Iterator[dict[str, Any]]:
    """The rows of a metric that is a mean: overall over items, over paradigms and pooled, and by group."""
    levels = list(task.averaged)
    if levels:
        macro = {**_named(metric, OVERALL, "macro"), **mean_row(statistics, task, levels)}
        means = statistics.groupby(levels)["correct"].mean().dropna()
        families = [str(name[0]) for name in means.index] if len(levels) > 1 else None
        yield macro
        if levels != [task.clusters]:  # else these are the items
            yield {**macro, **_bounds(over_paradigms(means.to_numpy(np.float64), families))}
    yield {**_named(metric, OVERALL, "micro"), **mean_row(statistics, task, [])}
    for group_by in task.groups:
        for group, part in statistics.groupby(group_by, sort=False):
            yield {**_named(metric, group_by, str(group)), **mean_row(part, task, levels, group_by)}


def _named(metric: Metric, group_by: str, group: str) -> dict[str, str]:
    return {"name": metric.name, "group_by": group_by, "group": group}


def mean_row(statistics: pd.DataFrame, task: Task, levels: Sequence[str], by: str = "") -> dict[str, Any]:
    """The mean of means over these columns, with counts and interval; `by` is the rows' group, which is fixed.

    The interval is over the clusters' means where these are what is averaged.
    """
    counted = statistics[statistics["excluded"].isna()]
    cell, parents = _cells(counted, levels)
    value, length_only, chance = (
        _mean_of_cells(counted[column], cell, parents) for column in ("correct", "length_only", "chance")
    )
    row = {"value": value, **_counts(statistics, counted), "length_only": length_only, "chance": chance}
    if [*levels] == [task.clusters] and by != task.clusters:
        means = counted.groupby(task.clusters)["correct"].mean()
        return row | _bounds(replace(over_paradigms(means.to_numpy(np.float64)), over="items"))
    return row | _over_items(counted, task, pd.Series(cell, counted.index), _weights(parents), by)


def _over_items(counted: pd.DataFrame, task: Task, stratum: pd.Series, weights: pd.Series, by: str) -> dict[str, Any]:
    """The interval over the clusters within fixed strata, and the one over guessed contrasts."""
    bounds = _bounds(over_items(counted["correct"], stratum, clusters_of(counted, task, fixed=[by]), weights))
    contrasts = guessed_contrasts(counted, task)
    if contrasts is None:
        return bounds
    return bounds | over_new_contrasts(over_items(counted["correct"], stratum, contrasts, weights))


def guessed_contrasts(statistics: pd.DataFrame, task: Task) -> pd.Series | None:
    """By item, the contrast that its words seem to make; None where data name theirs, or no two items share one."""
    if not task.guessed or NAMED in statistics or task.clusters not in statistics:
        return None
    contrasts: pd.Series = statistics[task.clusters]
    return None if contrasts.is_unique else contrasts


def over_new_contrasts(interval: Interval) -> dict[str, float]:
    """The columns of a second interval, over guessed contrasts: how many, and its bounds, NaN where they are few."""
    few = worth(interval.n_clusters, interval.freedom) < FEW
    low, high = (math.nan, math.nan) if few else (interval.low, interval.high)
    return {"n_contrasts": interval.n_clusters, "low_contrasts": low, "high_contrasts": high}


def weighted_strata(counted: pd.DataFrame, levels: Sequence[str]) -> tuple[pd.Series, pd.Series]:
    """By row, the number of its stratum; the weight of each in the mean of means: at each level, all weigh the same.

    Rows that lack a level's value are stratum -1, which weighs nothing.
    """
    cell, parents = _cells(counted, levels)
    return pd.Series(cell, counted.index), _weights(parents)


def _weights(parents: Sequence[Codes]) -> pd.Series:
    weights = np.ones(1)
    for parent in parents:
        weights = weights[parent] / np.bincount(parent)[parent]
    return pd.Series(np.append(0.0, weights), range(-1, len(weights)))


def _counts(statistics: pd.DataFrame, counted: pd.DataFrame) -> dict[str, Any]:
    return {
        "n": len(counted),
        "ties": int(counted["tie"].sum()),
        "undecided": int(counted["undecided"].sum()),
        "excluded": len(statistics) - len(counted),
        "length_only": float(counted["length_only"].mean()),
        "chance": float(counted["chance"].mean()),
    }


def _bounds(interval: Interval) -> dict[str, float | int | str]:
    bounds: dict[str, float | int | str] = {
        "low": interval.low, "high": interval.high, "over": interval.over, "n_clusters": interval.n_clusters,
        "freedom": interval.freedom,
    }  # fmt: skip
    return bounds


def item_weights(decided: pd.DataFrame, levels: Sequence[str]) -> pd.Series:
    """By row, an item's weight in the mean of means over these columns; NaN for excluded items."""
    counted = decided[decided["excluded"].isna()]
    stratum, weights = weighted_strata(counted, levels)
    shares = stratum.map(weights) / stratum.map(stratum.value_counts())
    return shares.reindex(decided.index).astype(np.float64)
