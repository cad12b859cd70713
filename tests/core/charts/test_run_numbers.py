"""Curves over training and over temperature: axes in words, what is special about a point is said."""

import pandas as pd
import pytest

from pairlens.charts.drawing import svg
from pairlens.charts.named_rows import Measure
from pairlens.charts.run_numbers import over_temperature, over_training

RIGHT = Measure("Pairs right")


POINTS = pd.DataFrame({
    "line": ["all"] * 3, "checkpoint": ["chck_1M", "chck_2M", "chck_4M"], "words": [1e6, 2e6, 4e6],
    "temperature": [0.9, 1.0, 1.1], "value": [0.5, 0.6, 0.6], "low": [0.4, 0.5, 0.5],
    "high": [0.6, 0.7, 0.7], "same_as": ["", "", "chck_2M"], "best": [False, True, False],
})  # fmt: skip


def axes(spec, channel):
    return [layer["encoding"][channel] for layer in spec["layer"] if channel in layer["encoding"]]


def test_training_is_on_a_logarithmic_axis_of_words_and_lines_are_told_apart_by_hue_and_mark():
    spec = over_training(POINTS, "finding", RIGHT).to_dict()
    assert {axis["scale"]["type"] for axis in axes(spec, "x")} == {"log"}
    assert axes(spec, "x")[0]["title"] == "Words seen (logarithmic)"
    assert axes(spec, "y")[0]["title"] == "Pairs right"
    assert spec["description"] == "finding"
    filled = {one["transform"][0]["filter"]: one["mark"]["filled"] for one in spec["layer"] if "transform" in one}
    assert filled == {"!(datum.same_as)": True, "datum.same_as": False}, "a checkpoint with the weights of another"
    assert spec["layer"][0]["mark"]["type"] == "area"
    assert spec["layer"][0]["encoding"]["y"]["field"] == "low"
    both = pd.concat([POINTS, POINTS.assign(line="agreement", value=0.7)])
    spec = over_training(both, "finding", RIGHT).to_dict()
    assert axes(spec, "color")[0]["scale"]["domain"] == ["all", "agreement"]
    assert axes(spec, "shape")[0]["scale"]["domain"] == ["all", "agreement"]


@pytest.mark.slow
def test_the_best_temperature_says_how_it_was_chosen_and_curves_can_be_drawn():
    spec = over_temperature(POINTS, "finding", RIGHT).to_dict()
    label = next(rows for rows in spec["datasets"].values() if "said" in rows[0])
    assert [(row["temperature"], row["said"]) for row in label] == [(1.0, "highest, chosen on the evaluation data")]
    assert axes(spec, "x")[0]["title"] == "Temperature of the softmax"
    assert "Words seen" in svg(over_training(POINTS, "finding", RIGHT))
    assert "chosen on the evaluation data" in svg(over_temperature(POINTS, "finding", RIGHT))
