"""What every metric in core/metrics promises. A new file there is tested by existing."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from core.metrics import METRICS
from core.policies import PRESETS
from tests.candidate_table import candidate_table, item

metrics = pytest.mark.parametrize("name", list(METRICS))
COLUMNS = {"item", "correct", "tie", "undecided", "margin", "length_only", "excluded"}
"""What summaries and pages need of every metric's statistics, beside the groups."""


def candidates() -> pd.DataFrame:
    """20 items of two candidates: right, wrong and tied ones, two paradigms, one item without score."""
    items = [item(f"i{number}", 2, UID=f"p{number % 2}") for number in range(20)]
    table = candidate_table(items, lambda i, c: (-1.0 - int(i.id[1:]) % 3 * (c.label == "option 1"), len(c.text)))
    table.loc[table["item"] == "i7", "logprob"] = math.nan
    return table


@metrics
def test_it_says_what_it_is(name: str) -> None:
    metric = METRICS[name]
    assert metric.name == name and metric.version >= 1 and metric.title


@metrics
@pytest.mark.parametrize("preset", list(PRESETS))
def test_statistics_are_one_row_per_item_with_its_groups(name: str, preset: str) -> None:
    table = candidates()
    statistics = METRICS[name].statistics(table, PRESETS[preset])
    assert COLUMNS | {"UID"} <= set(statistics.columns)
    assert statistics["item"].tolist() == table["item"].unique().tolist()
    assert statistics.set_index("item")["UID"].to_dict() == table.groupby("item")["UID"].first().to_dict()
    assert statistics.set_index("item")["excluded"].notna().pipe(lambda column: column.index[column].tolist()) == [
        "i7"
    ]
    assert 0 <= METRICS[name].value(statistics) <= 1


@metrics
def test_the_table_given_is_not_changed(name: str) -> None:
    table = candidates()
    before = table.copy(deep=True)
    METRICS[name].statistics(table, PRESETS["pairlens"])
    pd.testing.assert_frame_equal(table, before)


@metrics
def test_what_is_excluded_does_not_move_the_value(name: str) -> None:
    statistics = METRICS[name].statistics(candidates(), PRESETS["pairlens"])
    counted = statistics[statistics["excluded"].isna()]
    assert METRICS[name].value(statistics) == METRICS[name].value(counted)


@metrics
def test_the_value_of_nothing_is_missing(name: str) -> None:
    metric = METRICS[name]
    assert math.isnan(metric.value(metric.statistics(candidates().iloc[:0], PRESETS["pairlens"])))


@metrics
def test_the_order_of_items_does_not_matter(name: str) -> None:
    metric, policy = METRICS[name], PRESETS["pairlens"]
    table = candidates()
    mixed = table.sample(frac=1, random_state=4)
    assert metric.value(metric.statistics(mixed, policy)) == pytest.approx(
        metric.value(metric.statistics(table, policy))
    )
