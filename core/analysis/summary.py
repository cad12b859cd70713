"""A run's numbers as one table, and its items from the worst decision to the best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from core import measures
from core.metrics import METRICS
from core.metrics._intervals import Interval, over_items, over_paradigms
from core.metrics.accuracy import group_columns, sentence_values
from core.policies import Policy
from core.types import Metric, Task

OVERALL = "overall"
"""The `group_by` of numbers about the whole run; their `group` is `macro` or `micro`."""

CLUSTER = "contrast"
"""The group that says which items are not independent of each other; without it every item is on its own."""


def summarise(candidates: pd.DataFrame, task: Task, policy: Policy) -> pd.DataFrame:
    """Every metric of the task, overall and per group.

    `candidates` is a candidate table (`core.metrics`). One row per number:

    name                   the metric
    group_by, group        the column and its value; `overall` with `macro` (mean over the values of the task's main
                           group, its paradigms) or `micro` (mean over items). Groups are macro-averages too
    value                  the number, 0 to 1
    n, ties, undecided     items that count, exact ties among them, decisions within 1e-4 nats
    excluded               items that do not count because a candidate could not be scored
    length_only            what a chooser that looks only at the number of tokens would reach
    low, high              95 % interval
    over, n_clusters       what it generalises over, `items` or `paradigms`, and from how many independent ones

    The headline, overall macro over items, is the first row; the second is the same number with the wider interval
    that holds if the paradigms are a sample too.
    """
    rows: list[dict[str, Any]] = []
    for name in task.metrics:
        metric = METRICS[name]
        rows.extend(_rows(metric, metric.statistics(candidates, policy), task.groups))
    return pd.DataFrame(rows)


def headline(metrics: pd.DataFrame) -> dict[str, float | int | None]:
    """The first number of a summary with its interval and counts; None where there is no number."""
    first = metrics.iloc[0]
    numbers = {name: float(first[name]) for name in ("value", "low", "high")}
    counts = {name: int(first[name]) for name in ("n", "ties", "undecided", "excluded")}
    return {name: None if math.isnan(number) else number for name, number in numbers.items()} | counts


def sentence(metrics: pd.DataFrame) -> str:
    """The headline in words: the number, its interval and over what, and the items behind it."""
    first = metrics.iloc[0]
    if math.isnan(first["value"]):
        return f"{first['name']}: no number, because none of the {int(first['excluded']):,} items could be scored"
    interval = f" (95 % interval {100 * first['low']:.1f} to {100 * first['high']:.1f}, over items)"
    parts = [
        f"{first['name']} {100 * first['value']:.2f} %{'' if math.isnan(first['low']) else interval}",
        f"{int(first['n']):,} items",
        f"{int(first['ties']):,} ties",
        f"{int(first['undecided']):,} undecided by precision",
        f"{int(first['excluded']):,} not scored",
        f"by number of tokens alone {100 * first['length_only']:.1f} %",
    ]
    return ", ".join(parts)


def items_by_margin(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per item that counts, worst decision first.

    Columns: `item`, the groups, `right` and `rival` (the texts of the right candidate and of the best other one;
    missing for confidential tasks), `margin` in bits (bits per token if the policy compares means; negative if the
    rival is preferred), `correct` (0 to 1) and `tie`.
    """
    statistics = METRICS["accuracy"].statistics(candidates, policy)
    statistics = statistics[statistics["excluded"].isna()].set_index("item")
    valued = candidates.assign(value=sentence_values(candidates, policy)).sort_values(
        "value", ascending=False, kind="stable"
    )
    is_right = (valued["label"] == valued["gold"]).fillna(False).astype(bool)
    best = {
        name: valued[rows].drop_duplicates("item").set_index("item")["text"]
        for name, rows in (("right", is_right), ("rival", ~is_right))
    }
    table = statistics.assign(margin=measures.bits(statistics["margin"].to_numpy())).join(pd.DataFrame(best))
    columns = [*group_columns(candidates), "right", "rival", "margin", "correct", "tie"]
    return table.sort_values("margin", kind="stable")[columns].reset_index()


def _rows(metric: Metric, statistics: pd.DataFrame, groups: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    strata = statistics[groups[0]] if groups else pd.Series("", statistics.index)
    clusters = statistics[CLUSTER] if CLUSTER in statistics else statistics["item"]
    known = statistics.assign(_stratum=strata, _cluster=clusters)
    macro = _macro(metric, known)
    yield {**_named(metric, OVERALL, "macro"), **macro, **_bounds(_over_items(known))}
    means = known.groupby("_stratum")["correct"].mean().dropna().to_numpy(np.float64)
    yield {**_named(metric, OVERALL, "macro"), **macro, **_bounds(over_paradigms(means))}
    pooled = known.assign(_stratum="", _cluster=known.groupby(["_stratum", "_cluster"]).ngroup())
    yield {**_named(metric, OVERALL, "micro"), **_macro(metric, pooled), **_bounds(_over_items(pooled))}
    for group_by in groups:
        for group, part in known.groupby(group_by, sort=False):
            yield {**_named(metric, group_by, str(group)), **_macro(metric, part), **_bounds(_over_items(part))}


def _named(metric: Metric, group_by: str, group: str) -> dict[str, str]:
    return {"name": metric.name, "group_by": group_by, "group": group}


def _macro(metric: Metric, statistics: pd.DataFrame) -> dict[str, float | int]:
    """The mean over strata of the metric and of the length-only chooser, and the counts."""
    counted = statistics[statistics["excluded"].isna()]
    strata = [part for _, part in counted.groupby("_stratum", sort=False)]
    return {
        "value": float(np.mean([metric.value(part) for part in strata])) if strata else math.nan,
        "n": len(counted),
        "ties": int(counted["tie"].sum()),
        "undecided": int(counted["undecided"].sum()),
        "excluded": len(statistics) - len(counted),
        "length_only": float(counted.groupby("_stratum")["length_only"].mean().mean()),
    }


def _over_items(statistics: pd.DataFrame) -> Interval:
    counted = statistics[statistics["excluded"].isna()]
    return over_items(counted["correct"], counted["_stratum"], counted["_cluster"])


def _bounds(interval: Interval) -> dict[str, float | int | str]:
    return {
        "low": interval.low,
        "high": interval.high,
        "over": interval.over,
        "n_clusters": interval.n_clusters,
    }
