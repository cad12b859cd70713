"""What every metric in core/metrics promises. A new file there is tested by existing."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pandas as pd
import pytest

from core.errors import PairlensError
from core.metrics import METRICS
from core.policies import PRESETS
from core.rules import RULES
from core.settings import ROOT
from core.tasks import TASKS
from core.types import Item, Task
from tests.candidate_table import candidate_table
from tests.contract.saying import demand, loadable, named_in_tests, placeholders, say, uncited, unloadable

SAMPLES = ROOT / "data" / "samples"
LEFT_OUT = 3
"""The place of the item that has no score."""
COLUMNS = {"item", "excluded", "tie", "undecided", "length_only", "chance"}
"""What summaries and pages need of every metric's statistics, beside the groups."""
RANGE = {"share": (0, 1), "correlation": (-1, 1), "bits": (0, math.inf), "ratio": (0, math.inf)}

metrics = pytest.mark.parametrize("name", list(METRICS))
usable = pytest.mark.parametrize("name", list(loadable(METRICS, "metrics")))
"""Those that can be loaded: the first test says what the others lack."""


@metrics
def test_it_says_what_it_is(name):
    demand(not (problem := unloadable(METRICS, "metrics", name)), problem)
    metric, where = METRICS[name], f"core/metrics/{name}.py"
    wrong = {
        "`version` must be a whole number from 1 on": metric.version >= 1,
        "`title` and `formula` must say something": metric.title and metric.formula,
        "`formula` must be a clause without a full stop": not metric.formula.endswith("."),
        "`note` must be empty or end with a full stop": not metric.note or metric.note.endswith("."),
        f"`scale` must be one of {', '.join(RANGE)}": metric.scale in RANGE,
        f"`under` must name rules of core/rules.py: {', '.join(RULES)}": set(metric.under) <= set(RULES),
        "`finding` must have $model and $value; it may have $items and no other $name": {"model", "value"}
        <= placeholders(metric.finding)
        <= {"model", "value", "items"},
        "`higher_is_better` must be True, False, or None where neither is better": metric.higher_is_better
        in (True, False, None),
        "`values` must name at least one column of its statistics": metric.values,
    }
    say([f"{where}: {rule}." for rule, holds in wrong.items() if not holds] + uncited(where, metric.cites))


@metrics
def test_a_task_has_it(name):
    demand(tasks_with(name), f"no task has the metric {name}: name it in the `metrics` of a task in core/tasks.")


@metrics
def test_hand_made_cases_are_tested(name):
    demand(
        named_in_tests(name, "core", "parity"),
        f"no test names the metric {name}: add tests/core/metrics/test_{name}.py with a few items whose number you "
        "worked out by hand.",
    )


def task_of(name: str) -> Task:
    found = next((task for task in tasks_with(name) if len(sample_of(task.name)) > LEFT_OUT), None)
    if found is None:
        pytest.skip(f"no task with a sample of {LEFT_OUT + 1} items has the metric {name}, as another test says")
    return found


def tasks_with(metric: str) -> list[Task]:
    return [task for task in loadable(TASKS, "tasks").values() if metric in task.metrics]


@cache
def sample_of(task: str) -> list[Item]:
    """The items of `data/samples/<task>`; none if there are none to be read, which test_tasks.py says."""
    try:
        return list(TASKS[task].read(SAMPLES / task))
    except PairlensError:
        return []


def candidates(name: str) -> pd.DataFrame:
    """The sample of a task that the metric is for, with random scores; its fourth item has none."""
    generator = np.random.default_rng(20_251_121)
    table = candidate_table(
        sample_of(task_of(name).name), lambda _, c: (-float(generator.uniform(5, 40)), len(c.text))
    )
    table.loc[table["item"] == unscored(table), "logprob"] = math.nan
    return table


def unscored(table: pd.DataFrame) -> str:
    return str(table["item"].unique()[LEFT_OUT])


def excluded(name: str, table: pd.DataFrame) -> set[str]:
    statistics = METRICS[name].statistics(table, PRESETS["pairlens"])
    return set(statistics["item"][statistics["excluded"].notna()])


@usable
def test_its_values_are_columns_of_its_statistics(name):
    statistics = METRICS[name].statistics(candidates(name), PRESETS["pairlens"])
    lacking = [column for column in METRICS[name].values if column not in statistics]
    demand(
        not lacking,
        f"core/metrics/{name}.py: `values` names {', '.join(lacking)}, which `statistics` lacks; it has "
        f"{', '.join(statistics.columns)}.",
    )


@usable
@pytest.mark.parametrize("preset", list(PRESETS))
def test_statistics_are_one_row_per_item_with_its_groups(name, preset):
    table, metric = candidates(name), METRICS[name]
    statistics = metric.statistics(table, PRESETS[preset])
    group = task_of(name).groups[0]
    needed = COLUMNS | {group} | ({"correct", "margin"} if metric.averages else set())
    lacking = sorted(needed - set(statistics.columns))
    demand(not lacking, f"core/metrics/{name}.py: `statistics` lacks the columns {', '.join(lacking)}.")
    assert statistics["item"].tolist() == table["item"].unique().tolist()
    assert statistics.set_index("item")[group].to_dict() == table.groupby("item")[group].first().to_dict()
    low, high = RANGE[metric.scale]
    assert low <= metric.value(statistics) <= high


@usable
def test_what_cannot_be_scored_is_excluded(name):
    table = candidates(name)
    everything = table.assign(logprob=table["logprob"].fillna(-20.5))
    assert excluded(name, table) - excluded(name, everything) == {unscored(table)}


@usable
def test_a_metric_that_averages_is_the_mean_of_what_is_correct(name):
    metric = METRICS[name]
    statistics = metric.statistics(candidates(name), PRESETS["pairlens"])
    assert ("correct" in statistics) == metric.averages
    if metric.averages:
        assert metric.value(statistics) == statistics["correct"].mean()
        counted = statistics["excluded"].isna()
        assert (statistics.loc[counted, ["correct", "length_only", "chance"]].map(lambda x: 0 <= x <= 1)).all().all()
        assert statistics.loc[~counted, ["correct", "margin", "length_only", "chance"]].isna().all().all()


@usable
def test_the_table_given_is_not_changed(name):
    table = candidates(name)
    before = table.copy(deep=True)
    METRICS[name].statistics(table, PRESETS["pairlens"])
    pd.testing.assert_frame_equal(table, before)


@usable
def test_what_is_excluded_does_not_move_the_value(name):
    statistics = METRICS[name].statistics(candidates(name), PRESETS["pairlens"])
    counted = statistics[statistics["excluded"].isna()]
    assert METRICS[name].value(statistics) == pytest.approx(METRICS[name].value(counted))


@usable
def test_the_value_of_nothing_is_missing(name):
    metric = METRICS[name]
    assert math.isnan(metric.value(metric.statistics(candidates(name).iloc[:0], PRESETS["pairlens"])))


@usable
def test_the_order_of_rows_does_not_matter(name):
    metric, policy = METRICS[name], PRESETS["pairlens"]
    table = candidates(name)
    mixed = table.sample(frac=1, random_state=4)
    assert metric.value(metric.statistics(mixed, policy)) == pytest.approx(
        metric.value(metric.statistics(table, policy))
    )
