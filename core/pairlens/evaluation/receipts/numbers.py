"""One of a run's numbers, with the items that enter it, their weights, and reasons for exclusions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from pairlens.analysis.summary import OVERALL, item_weights, metrics_under
from pairlens.errors import InputError, PolicyError, unknown
from pairlens.evaluation.evaluate import stored_metrics
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.rules import RULES, Rule
from pairlens.statistics.few import method
from pairlens.statistics.wholes import interval_method
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Metric, Task


@dataclass(frozen=True, eq=False)
class StoredRun:
    """`candidates`, `metrics` (no rows if unfinished) and `requests` (`pairlens.store.runs.ITEMS`) as in the
    store."""

    manifest: Mapping[str, Any]
    task: Task
    policy: Policy
    candidates: pd.DataFrame
    metrics: pd.DataFrame
    requests: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def rule(self) -> Rule:
        return RULES[self.manifest.get("rule") or self.task.rules[0]]

    @property
    def finished(self) -> bool:
        return bool(self.manifest["state"] == "done")

    @property
    def refused(self) -> Mapping[str, str]:
        return self.manifest.get("refused") or {}


def stored_run(store: Store, run_id: str) -> StoredRun:
    """The run of that id; StoreError if there is none, or if it ended before its items were stored."""
    manifest = store.manifest(run_id)
    return StoredRun(
        manifest,
        TASKS[manifest["task"]],
        Policy(**manifest["policy"]),
        store.candidates(run_id),
        stored_metrics(store, run_id) if manifest["state"] == "done" else pd.DataFrame(),
        store.items(run_id),
    )


@dataclass(frozen=True, eq=False)
class Number:
    """A metric for a group of a run's items.

    `rows` are its rows in the run's metrics table, one per interval (none if unfinished), `statistics` a row per item
    (`pairlens.metrics`), `levels` the columns whose means are averaged, if any.
    """

    metric: Metric
    group_by: str
    group: str
    rows: pd.DataFrame
    statistics: pd.DataFrame
    levels: tuple[str, ...]

    @property
    def counted(self) -> pd.DataFrame:
        return self.statistics[self.statistics["excluded"].isna()]

    @property
    def weights(self) -> pd.Series | None:
        """The weight of each item that counts, aligned with `counted`; None if the number is no mean."""
        return item_weights(self.counted, self.levels) if self.metric.averages else None

    @property
    def means(self) -> pd.DataFrame:
        """The averaged means: the levels, `value` and `n`; no rows if nothing is averaged."""
        if not self.metric.averages or not self.levels:
            return pd.DataFrame(columns=["value", "n"])
        groups = self.counted.groupby([*self.levels], sort=False)["correct"]
        return groups.agg(["mean", "size"]).set_axis(["value", "n"], axis=1).reset_index()

    def interval_method(self, row: pd.Series) -> str:
        """How the interval of one of `rows` was made (`pairlens.statistics`)."""
        if not self.metric.averages:
            return interval_method(self.metric)
        n_clusters, n_strata = int(row["n_clusters"]), max(len(self.means), 1)
        return method(int(row["n"]), n_clusters, n_clusters if row["over"] == "paradigms" else n_strata, row["value"])


def number_of(run: StoredRun, metric: str = "", group: str = "") -> Number:
    """The number of that metric (the headline's) for that group (all items); PolicyError with the choices.

    `group` is `macro`, `micro`, `all`, a group's value, or COLUMN=VALUE where several columns have it.
    """
    names = run.metrics["name"].unique().tolist() if run.finished else metrics_under(run.task, run.rule.name)
    chosen = metric or names[0]
    if chosen not in names:
        raise PolicyError(unknown(f"metric of {run.task.title}", chosen, names))
    rows = _rows(run, chosen, group)
    group_by, value = (OVERALL, "") if rows.empty else (str(rows.iloc[0]["group_by"]), str(rows.iloc[0]["group"]))
    statistics = METRICS[chosen].statistics(run.candidates, run.policy)
    if group_by != OVERALL:
        statistics = statistics[statistics[group_by].astype("str") == value]
    levels = run.task.averaged if METRICS[chosen].averages and value != "micro" else ()
    return Number(METRICS[chosen], group_by, value, rows, statistics, tuple(levels))


def reasons(run: StoredRun, statistics: pd.DataFrame) -> pd.Series:
    """Why items are excluded, by item: the reason from scoring, else that of the metric."""
    left_out = statistics[statistics["excluded"].notna()].set_index("item")["excluded"]
    refused = pd.Series([run.refused.get(str(item)) for item in left_out.index], left_out.index, dtype="object")
    combined: pd.Series = refused.fillna(left_out)
    return combined


def _rows(run: StoredRun, metric: str, group: str) -> pd.DataFrame:
    if not run.finished:
        if group:
            raise InputError(f"run '{run.manifest['run_id']}' is {run.manifest['state']}: it has no groups yet")
        return run.metrics
    rows = run.metrics[run.metrics["name"] == metric]
    column, sign, value = group.partition("=")
    fitting = rows[rows["group"] == group] if group else rows.head(1)
    if sign and column in set(rows["group_by"]):
        fitting = rows[(rows["group_by"] == column) & (rows["group"] == value)]
    groups = fitting[["group_by", "group"]].drop_duplicates()
    if groups.empty:
        raise PolicyError(unknown(f"group of {metric}", group, rows["group"].unique().tolist()))
    if len(groups) > 1:
        named = ", ".join(f"{one}={group}" for one in groups["group_by"])
        raise PolicyError(f"'{group}' is a group in several columns: say which, one of {named}.")
    return rows.merge(groups)
