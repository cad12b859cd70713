"""Two runs of one task on one data set, item by item: where they differ, by how much, and whether by chance.

Two accuracies throw away that models answered the same items (Dror et al. 2018, The Hitchhiker's Guide).
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.items import items_by_margin
from pairlens.analysis.summary import (
    OVERALL,
    clusters_of,
    guessed_contrasts,
    mean_of_means,
    over_new_contrasts,
    weighted_strata,
)
from pairlens.errors import InputError, StoreError
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.statistics import wholes
from pairlens.statistics.intervals import Interval
from pairlens.statistics.paired import compare, compare_means, difference_over_items, discordant, holm
from pairlens.types import Metric, Task

Policies = tuple[Policy, Policy]

QUESTION = {"task_version": "version of the task", "rule": "rule", "data_hash": "data set"}
"""Fields of a manifest that are the same where runs of a task asked the same of the same items, in words."""


def refuse_unlike(first: Mapping[str, Any], second: Mapping[str, Any]) -> None:
    """StoreError unless both manifests name the same task, version, rule and data: then the items are the same."""
    for field, what in {"task": "task", **QUESTION}.items():
        a, b = (str(manifest.get(field)) for manifest in (first, second))
        if a != b:
            raise StoreError(
                f"Runs '{first['run_id']}' and '{second['run_id']}' cannot be compared item by item: "
                f"another {what} ({a[:12]} and {b[:12]}). Run both on the same."
            )


def paired(
    first: pd.DataFrame,
    second: pd.DataFrame,
    task: Task,
    policies: Policies,
    metric: str = "accuracy",
    by: str | None = "",
) -> pd.DataFrame:
    """The difference of two runs, overall and for each value of a group: `by` (the main one; None: none).

    `first` and `second` are candidate tables (`pairlens.metrics`) whose items are matched by id, `policies` how each
    is judged. One row per number; only items that count in both runs are in it:

    group_by, group           `overall` with `macro` (`micro` for a task that averages over no groups, `all` for a
                              metric that is no mean), or the group's values
    value_a, value_b          the metric of each
    difference, low, high     `value_a - value_b` with its 95 % interval over items (`difference_over_items`), or over
                              the task's clusters if the number is the mean of their means; no interval by group for a
                              metric that is no mean: drawing it often takes long
    n_contrasts, low_contrasts, high_contrasts
                              of pairs whose contrasts are guessed: how many there are, and the interval over new ones
    n, n_clusters, freedom    items in both, how many independent ones, and degrees of freedom of the interval
    unscored_a, unscored_b    items that only the other run could score
    only_a, only_b            items right in one run alone; missing for a metric that is no mean
    p, p_holm                 of exchanging the runs' answers cluster by cluster (`exchanged`), and with Holm's
                              correction over the groups (the overall row is a single test)
    p_mcnemar                 McNemar's exact p-value, which takes items as independent: the same as `p` where they
                              are, each right or wrong. All three are NaN for a metric that is no mean

    Raises InputError if the runs have no item in common.
    """
    chosen = METRICS[metric]
    a, b = _matched(first, second, chosen, policies)
    name, main = ("macro" if task.averaged else "micro") if chosen.averages else "all", by or task.groups[0]
    numbers = [{"group_by": OVERALL, "group": name, **_row(a, b, chosen, task)}]
    if by is not None and a[main].nunique() > 1:
        for group, part in a.groupby(main, sort=False):
            row = _row(part, b.loc[part.index], chosen, task, main)
            numbers.append({"group_by": main, "group": str(group), **row})
    rows = pd.DataFrame(numbers)
    of_group = rows["group_by"] != OVERALL
    rows["p_holm"] = rows["p"]
    rows.loc[of_group, "p_holm"] = holm(rows.loc[of_group, "p"].to_numpy(np.float64))
    return rows


def margins(
    first: pd.DataFrame, second: pd.DataFrame, task: Task, policies: Policies, rule: str = "", metric: str = ""
) -> pd.DataFrame:
    """The items that count in both runs with both margins, the largest change first.

    `metric` is one that decides item by item, by default the first of the task's. Columns: `item`, the groups,
    `context`, `right` (the right text) and `rival` (what the run that errs prefers, or the first one; all missing for
    confidential tasks), `margin_a`, `margin_b` and `change` (a minus b) in bits, `right_in`: `a` or `b` where one run
    alone has the whole credit and the other none, else `both`, `neither` or `part`.
    """
    runs = zip((first, second), policies, strict=True)
    a, b = (items_by_margin(run, task, policy, rule, metric) for run, policy in runs)
    merged = a.merge(b[["item", "rival", "margin", "correct"]], on="item", suffixes=("_a", "_b"))
    correct_a, correct_b = merged["correct_a"], merged["correct_b"]
    only_a, only_b = (correct_a == 1) & (correct_b == 0), (correct_a == 0) & (correct_b == 1)
    both, neither = (correct_a == 1) & (correct_b == 1), (correct_a == 0) & (correct_b == 0)
    merged["rival"] = merged["rival_b"].where(only_a, merged["rival_a"])
    merged["change"] = merged["margin_a"] - merged["margin_b"]
    merged["right_in"] = np.select([only_a, only_b, both, neither], ["a", "b", "both", "neither"], "part")
    ordered = merged.sort_values("change", key=abs, ascending=False, kind="stable")
    return ordered.drop(columns=["rival_a", "rival_b", "correct_a", "correct_b", "tie"]).reset_index(drop=True)


def _matched(
    first: pd.DataFrame, second: pd.DataFrame, metric: Metric, policies: Policies
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Statistics of both runs with one row per item of both, in the same order, numbered from 0."""
    a, b = (metric.statistics(run, policy) for run, policy in zip((first, second), policies, strict=True))
    places = pd.Index(b["item"]).get_indexer(pd.Index(a["item"]))
    common = places >= 0
    if not common.any():
        raise InputError("The two runs have no item in common: compare runs of the same task on the same data.")
    return a[common].reset_index(drop=True), b.iloc[places[common]].reset_index(drop=True)


def _row(a: pd.DataFrame, b: pd.DataFrame, metric: Metric, task: Task, by: str = "") -> dict[str, Any]:
    """One row, of all items or of one value of the group `by`."""
    counts_a, counts_b = a["excluded"].isna(), b["excluded"].isna()
    both = counts_a & counts_b
    if metric.averages:
        numbers, interval = _compare_means(a[both], b[both], task, by)
    else:
        clusters = clusters_of(a[both], task, fixed=[by])
        numbers, interval = _compare_wholes(a[both], b[both], metric, clusters, drawn=not by)
    return {
        **numbers,
        "difference": numbers["value_a"] - numbers["value_b"],
        "low": interval.low,
        "high": interval.high,
        "n": int(both.sum()),
        "n_clusters": interval.n_clusters,
        "freedom": interval.freedom,
        "unscored_a": int((counts_b & ~counts_a).sum()),
        "unscored_b": int((counts_a & ~counts_b).sum()),
    }


def _compare_means(a: pd.DataFrame, b: pd.DataFrame, task: Task, by: str) -> tuple[dict[str, Any], Interval]:
    """Where the number is the mean of the clusters' means, these are compared, else the items of each stratum."""
    levels, only, wide = list(task.averaged), discordant(a["correct"], b["correct"]), dict[str, float]()
    if levels == [task.clusters] and by != task.clusters:
        comparison = compare_means(*(run.groupby(task.clusters)["correct"].mean() for run in (a, b)))
    else:
        stratum, weights = weighted_strata(a, levels)
        comparison = compare(a["correct"], b["correct"], clusters_of(a, task, fixed=[by]), stratum, weights)
        if (contrasts := guessed_contrasts(a, task)) is not None:
            wide = over_new_contrasts(difference_over_items(a["correct"] - b["correct"], stratum, contrasts, weights))
    value_a, value_b = (mean_of_means(run, levels) for run in (a, b))
    numbers = {"value_a": value_a, "value_b": value_b, "only_a": only.only_a, "only_b": only.only_b, **wide}
    return numbers | {"p": comparison.p, "p_mcnemar": only.p if comparison.n else np.nan}, comparison.interval


def _compare_wholes(
    a: pd.DataFrame, b: pd.DataFrame, metric: Metric, clusters: pd.Series, *, drawn: bool
) -> tuple[dict[str, Any], Interval]:
    untested = {"only_a": None, "only_b": None, "p": np.nan, "p_mcnemar": np.nan}
    interval = Interval(np.nan, np.nan, clusters.nunique(), "items")
    if drawn:
        interval = wholes.interval_of_difference(metric, a, b, clusters)
    return {"value_a": metric.value(a), "value_b": metric.value(b)} | untested, interval
