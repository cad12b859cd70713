"""A number over training in words: what a headline says of one checkpoint, of two, and of none."""

from types import SimpleNamespace

import pandas as pd
import pytest

from pairlens.reports.sweep import ALL, _headline, points_of, turned
from pairlens.tasks import TASKS
from tests.run_of_pairs import run_of_pairs

SWEEP = SimpleNamespace(model="/home/me/m", data="our sample", points=[SimpleNamespace(name="final", assumed=True)])
ROWS = pd.DataFrame(
    {
        "checkpoint": ["chck_1M", "final", "main"], "words": [1e6, 2e6, float("nan")], "group_by": "overall",
        "group": "macro", "value": [0.56, 0.75, 0.9], "low": [0.5, 0.7, 0.8], "high": [0.6, 0.8, 1.0], "n": 100,
        "same_as": "",
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (ROWS[:1], "m: accuracy 56.0\xa0% (50.0 to 60.0) at chck_1M, on our 100 sample pairs."),
        (ROWS[:2], "m: accuracy 56.0\xa0% at chck_1M, 75.0\xa0% (70.0 to 80.0) at final, on our 100 sample pairs."),
        (ROWS[:0], ""),
    ],
)
def test_a_headline_names_the_first_and_the_last_checkpoint_if_these_are_two(rows, sentence):
    said = _headline(rows, SWEEP, "accuracy", TASKS["blimp"])
    assert said.sentence == sentence
    assert said.interval == (None if rows.empty else (rows["low"].iloc[-1], rows["high"].iloc[-1]))


def test_a_checkpoint_of_unknown_age_is_not_drawn_and_one_of_assumed_age_is_hollow():
    points = points_of(ROWS, SWEEP, "UID")
    assert points["checkpoint"].tolist() == ["chck_1M", "final"] and points["same_as"].tolist() == ["", "assumed"]


def test_what_turned_at_a_checkpoint_are_the_items_that_changed_sides_since_the_one_before(store):
    runs = [run_of_pairs(store, margin=margin) for margin in (-1.0, 1.0)]
    rows = pd.DataFrame({"checkpoint": ["chck_1M", "chck_2M"], "words": [1e6, 2e6], "run_id": runs})
    items = turned(store, rows, ALL, "chck_2M", "UID")
    assert len(items) and set(items["right_in"]) == {"run", "reference"}
    line = items["UID"].iloc[0]
    assert set(turned(store, rows, line, "chck_2M", "UID")["UID"]) == {line}
    assert turned(store, rows, ALL, "chck_1M", "UID").empty and turned(store, rows, ALL, "none", "UID").empty
