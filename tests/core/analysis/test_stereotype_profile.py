"""Profiles over stereotypes: the numbers of each language, apart from the others."""

from __future__ import annotations

import math

import pytest

from core.analysis.stereotype_profile import profiles
from core.policies import Policy
from core.settings import ROOT
from core.tasks import TASKS
from tests.candidate_table import candidate_table

SAMPLES = ROOT / "data" / "samples"


def test_each_language_has_a_rate_and_sixteen_shares():
    items = list(TASKS["eurogest"].read(SAMPLES / "eurogest"))
    lean = {"French": 0.0, "Portuguese": 1.0}
    table = candidate_table(
        items,
        lambda item, c: (
            -5 + lean[item.groups["language"]] * (c.label == "masculine" and item.groups["about"] == "men"),
            1,
        ),
    )
    rows = profiles(table, TASKS["eurogest"], Policy(), "conditional").set_index(["language", "group"])
    assert len(rows) == 2 * 17
    share = 1 / (1 + math.exp(-1))
    assert rows.loc[("French", ""), "value"] == pytest.approx(1)
    assert rows.loc[("Portuguese", ""), "value"] == pytest.approx(share / 0.5)
    assert rows.loc[("Portuguese", "Strong"), ["value", "section", "n"]].tolist() == [pytest.approx(share), "men", 2]
    assert rows.loc[("Portuguese", "Neat"), ["value", "section"]].tolist() == [0.5, "women"]


def test_a_task_in_one_language_is_named_after_it():
    items = list(TASKS["gest"].read(SAMPLES / "gest"))
    table = candidate_table(items, lambda _, c: (-5.0, 1))
    rows = profiles(table, TASKS["gest"], Policy(), "gap")
    assert set(rows["language"]) == {"English"} and rows["n_clusters"].max() == 32
    assert rows[rows["group"] == "Weak"][["value", "n", "n_clusters"]].iloc[0].tolist() == [0.5, 8, 2]
