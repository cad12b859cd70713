"""Class against model: a mark for each step, in the place of its share and margin, and who errs in the legend."""

from __future__ import annotations

import pandas as pd

from core.charts.classroom import class_against_model
from core.studies.classroom.shares import OUTCOMES


def test_every_step_has_its_place_and_every_outcome_its_count():
    steps = pd.DataFrame({
        "step": [1, 2, 3], "class_share": [0.9, 0.2, 0.4], "margin_bits": [2.0, -1.0, -3.0], "votes": [10, 10, 10],
        "outcome": [OUTCOMES[3], OUTCOMES[0], OUTCOMES[0]], "a": ["x", "<b>y", "z"],
    })  # fmt: skip
    spec = class_against_model(steps, "What was found.", "a-model").to_dict()
    assert spec["description"] == "What was found."
    (points,) = (one for one in spec["layer"] if one["mark"]["type"] == "point")
    assert points["encoding"]["x"]["field"] == "class_share" and points["encoding"]["y"]["field"] == "margin_bits"
    assert points["encoding"]["y"]["title"] == "Margin of a-model (bits)"
    named = points["encoding"]["color"]["scale"]["domain"]
    assert named == ["both err (2)", "only the class errs (0)", "only the model errs (0)", "neither errs (1)"]
    assert [name.rpartition(" (")[0] for name in named] == list(OUTCOMES)
    rows = spec["datasets"][points["data"]["name"] if "data" in points else spec["data"]["name"]]
    assert [(row["number"], row["who"]) for row in rows] == [
        ("1", "neither errs (1)"), ("2", "both err (2)"), ("3", "both err (2)"),
    ]  # fmt: skip
