"""Charts of any answer: rows with a name, series in them, intervals of the number, bars that have a place."""

import pandas as pd
import pytest

from pairlens.charts.store import BARS, DOTS, LINES, MOST_NAMES, answer_chart, drawn, kinds_for, series_for

RUNS = pd.DataFrame(
    {"model": ["a", "a", "b"], "task": ["x", "y", "x"], "value": [0.9, 0.4, 0.5], "low": [0.8, 0.3, 0.4],
     "high": [1.0, 0.5, 0.6]}
)  # fmt: skip


def layers(chart) -> list[tuple[str, dict]]:
    return [(layer["mark"]["type"], layer["encoding"]) for layer in chart.to_dict()["layer"]]


def test_numbers_by_a_name_are_dots_with_intervals_of_their_own_number_beside_each_other_by_series():
    assert series_for(RUNS, "model") == (["task"], "task") and kinds_for(RUNS, "model", "task") == [DOTS, BARS]
    (dot, at), (rule, ends) = layers(answer_chart(RUNS, "model", "value", "task"))
    assert (dot, rule) == ("point", "rule") and at["yOffset"]["field"] == at["color"]["field"] == "series"
    assert (ends["x"]["field"], ends["x2"]["field"]) == ("low", "high")
    (dot, _), *others = layers(answer_chart(RUNS.assign(n=100), "model", "n"))
    assert dot == "point" and not others


def test_what_has_one_name_is_never_bars_over_each_other():
    assert kinds_for(RUNS, "model") == [DOTS]
    once = RUNS.drop_duplicates("model")
    assert series_for(once, "model")[1] == "" and kinds_for(once, "model") == [DOTS, BARS]
    (mark, at), _ = layers(answer_chart(once, "model", "value", kind=BARS))
    assert mark == "bar" and at["x"]["stack"] is None and at["x"]["scale"]["zero"]


@pytest.mark.parametrize("kind", [DOTS, LINES])
def test_two_numbers_make_a_plane(kind):
    rows = pd.DataFrame({"length": [3, 4, 5], "share": [0.5, None, 0.7]})
    marks = [mark for mark, _ in layers(answer_chart(rows, "length", "share", kind=kind))]
    assert kinds_for(rows, "length") == [DOTS, LINES]
    assert marks == (["point"] if kind == DOTS else ["point", "line"])


def test_of_many_names_the_first_are_drawn():
    rows = pd.DataFrame({"token": map(str, range(100)), "times": range(100)})
    assert len(drawn(rows, "token")) == MOST_NAMES and len(drawn(rows, "times")) == 100
