"""What every metric in core/pairlens/metrics promises. A new file there is tested by existing."""

import math
from functools import cache

import numpy as np
import pandas as pd
import pytest

from pairlens.errors import PairlensError
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS
from pairlens.rules import RULES
from pairlens.tasks import TASKS
from tests.candidate_table import candidate_table
from tests.contract.saying import demand, loadable, named_in_tests, placeholders, say, uncited, unloadable

SAMPLES = ROOT / "data" / "samples"
POLICY = PRESETS["pairlens"]
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
    metric, where = METRICS[name], f"core/pairlens/metrics/{name}.py"
    named, better = placeholders(metric.finding) - {"items"}, metric.higher_is_better
    wrong = {
        "`version` must be a whole number from 1 on": metric.version >= 1,
        "`title` and `formula` must say something": metric.title and metric.formula,
        "`formula` must be a clause without a full stop": not metric.formula.endswith("."),
        "`note` must be empty or end with a full stop": not metric.note or metric.note.endswith("."),
        f"`scale` must be one of {', '.join(RANGE)}": metric.scale in RANGE,
        f"`under` must name rules of core/pairlens/rules.py: {', '.join(RULES)}": set(metric.under) <= set(RULES),
        "`finding` must have $model and $value; it may have $items and no other $name": named == {"model", "value"},
        "`higher_is_better` must be True, False, or None where neither is better": better in (True, False, None),
        "`values` must name at least one column of its statistics": metric.values,
    }
    say([f"{where}: {rule}." for rule, holds in wrong.items() if not holds] + uncited(where, metric.cites))


@metrics
def test_a_task_has_it_and_hand_made_cases_are_tested(name):
    demand(tasks_with(name), f"no task has the metric {name}: name it in `metrics` of a task in core/pairlens/tasks.")
    demand(
        named_in_tests(name, "core", "parity"),
        f"no test names the metric {name}: add tests/core/metrics/test_{name}.py with a few items whose number you "
        "worked out by hand.",
    )


def task_of(name):
    task = next((task for task in tasks_with(name) if len(sample_of(task.name)) > LEFT_OUT), None)
    if task is None:
        pytest.skip(f"no task with a sample of {LEFT_OUT + 1} items has the metric {name}, as another test says")
    return task


def tasks_with(metric):
    return [task for task in loadable(TASKS, "tasks").values() if metric in task.metrics]


@cache
def sample_of(task):
    """The items of `data/samples/<task>`; none if there are none to be read, which test_tasks.py says."""
    try:
        return list(TASKS[task].read(SAMPLES / task))
    except PairlensError:
        return []


@pytest.fixture
def table(name):
    """The sample of a task that the metric is for, with random scores; its fourth item has none."""
    generator = np.random.default_rng(20_251_121)
    sample = sample_of(task_of(name).name)
    table = candidate_table(sample, lambda _, c: (-float(generator.uniform(5, 40)), len(c.text)))
    table.loc[table["item"] == unscored(table), "logprob"] = math.nan
    return table


def unscored(table):
    return str(table["item"].unique()[LEFT_OUT])


@usable
def test_statistics_are_one_row_per_item_with_its_groups(name, table):
    metric, group, before = METRICS[name], task_of(name).groups[0], table.copy(deep=True)
    needed = COLUMNS | {group} | ({"correct", "margin"} if metric.averages else set())
    low, high = RANGE[metric.scale]
    for preset in PRESETS.values():
        statistics = metric.statistics(table, preset)
        lacking = sorted(needed - set(statistics.columns))
        demand(not lacking, f"core/pairlens/metrics/{name}.py: `statistics` lacks the columns {', '.join(lacking)}.")
        assert statistics["item"].tolist() == table["item"].unique().tolist()
        assert statistics.set_index("item")[group].to_dict() == table.groupby("item")[group].first().to_dict()
        assert low <= metric.value(statistics) <= high
    lacking = [column for column in metric.values if column not in statistics]
    demand(
        not lacking,
        f"core/pairlens/metrics/{name}.py: `values` names {', '.join(lacking)}, which `statistics` lacks; it has "
        f"{', '.join(statistics.columns)}.",
    )
    pd.testing.assert_frame_equal(table, before)


@usable
def test_neither_what_cannot_be_scored_nor_the_order_of_rows_moves_the_value(name, table):
    metric = METRICS[name]
    statistics = metric.statistics(table, POLICY)
    everything = metric.statistics(table.assign(logprob=table["logprob"].fillna(-20.5)), POLICY)
    without, withal = (set(one["item"][one["excluded"].notna()]) for one in (statistics, everything))
    assert without - withal == {unscored(table)}
    counted = statistics["excluded"].isna()
    assert metric.value(statistics) == pytest.approx(metric.value(statistics[counted]))
    mixed = metric.statistics(table.sample(frac=1, random_state=4), POLICY)
    assert metric.value(mixed) == pytest.approx(metric.value(statistics))
    assert math.isnan(metric.value(metric.statistics(table.iloc[:0], POLICY)))
    assert ("correct" in statistics) == metric.averages
    if metric.averages:
        assert metric.value(statistics) == statistics["correct"].mean()
        assert (statistics.loc[counted, ["correct", "length_only", "chance"]].map(lambda x: 0 <= x <= 1)).all().all()
        assert statistics.loc[~counted, ["correct", "margin", "length_only", "chance"]].isna().all().all()
