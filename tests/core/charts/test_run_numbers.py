"""Curves over training and over temperature: axes in words, what is special about a point is said."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from core.charts.drawing import svg
from core.charts.named_rows import Measure
from core.charts.run_numbers import over_temperature, over_training

RIGHT = Measure("Pairs right")


@pytest.fixture
def points():
    return pd.DataFrame(
        {
            "line": ["all"] * 3, "checkpoint": ["chck_1M", "chck_2M", "chck_4M"], "words": [1e6, 2e6, 4e6],
            "temperature": [0.9, 1.0, 1.1], "value": [0.5, 0.6, 0.6], "low": [0.4, 0.5, 0.5],
            "high": [0.6, 0.7, 0.7], "same_as": ["", "", "chck_2M"], "best": [False, True, False],
        }
    )  # fmt: skip


def axes(spec: dict[str, Any], channel: str) -> list[dict[str, Any]]:
    return [layer["encoding"][channel] for layer in spec["layer"] if channel in layer["encoding"]]


def hollow(spec: dict[str, Any]) -> dict[str, bool]:
    """The filters of a chart, and whether what they let through is filled."""
    return {
        layer["transform"][0]["filter"]: layer["mark"]["filled"] for layer in spec["layer"] if "transform" in layer
    }


def test_training_is_on_a_logarithmic_axis_of_words(points):
    spec = over_training(points, "finding", RIGHT).to_dict()
    assert {axis["scale"]["type"] for axis in axes(spec, "x")} == {"log"}
    assert axes(spec, "x")[0]["title"] == "Words seen (logarithmic)"
    assert axes(spec, "y")[0]["title"] == "Pairs right"
    assert spec["description"] == "finding"


def test_a_checkpoint_with_the_weights_of_another_is_hollow(points):
    spec = over_training(points, "finding", RIGHT).to_dict()
    assert hollow(spec) == {"!(datum.same_as)": True, "datum.same_as": False}


def test_the_interval_is_a_band(points):
    spec = over_training(points, "finding", RIGHT).to_dict()
    assert spec["layer"][0]["mark"]["type"] == "area"
    assert spec["layer"][0]["encoding"]["y"]["field"] == "low"


def test_lines_are_told_apart_by_hue_and_mark(points):
    both = pd.concat([points, points.assign(line="agreement", value=0.7)])
    spec = over_training(both, "finding", RIGHT).to_dict()
    assert axes(spec, "color")[0]["scale"]["domain"] == ["all", "agreement"]
    assert axes(spec, "shape")[0]["scale"]["domain"] == ["all", "agreement"]


def test_the_best_temperature_says_how_it_was_chosen(points):
    spec = over_temperature(points, "finding", RIGHT).to_dict()
    label = next(rows for rows in spec["datasets"].values() if "said" in rows[0])
    assert [(row["temperature"], row["said"]) for row in label] == [(1.0, "highest, chosen on the evaluation data")]
    assert axes(spec, "x")[0]["title"] == "Temperature of the softmax"


@pytest.mark.slow
def test_curves_can_be_drawn(points):
    assert "Words seen" in svg(over_training(points, "finding", RIGHT))
    assert "chosen on the evaluation data" in svg(over_temperature(points, "finding", RIGHT))
