"""Charts of an experiment: the right lines at the right places, never told apart by colour alone, words as text."""

import json
import re
from itertools import product

import pandas as pd
import pytest

from pairlens.charts.drawing import svg
from pairlens.charts.experiment import (
    PAIR,
    QUANTITIES,
    along_the_sentence,
    by_condition,
    interaction_by_region,
    interaction_plot,
    pair_by_pair,
)
from pairlens.charts.style import GREY, A, B
from tests.drawn import marks

SIDES = ("expected", "unexpected")
PROFILE = pd.DataFrame(
    product(("left", "arrived"), SIDES, range(3)), columns=["line", "comparison", "position"]
).assign(label="a'b | </script>", surp=lambda rows: 1.0 + rows["position"], low=0.5, high=3.0, n=9)
REGION = pd.DataFrame([(1, "ROI", 1.0), (2, "ROI+1", 0.5), (9, "ROI", 1.0)], columns=["position", "region", "share"])
PAIRS = pd.DataFrame(
    [("m", "1", "left", 2.0, 5.0, "expected"), ("m", "2", "left", 4.0, 3.0, "unexpected"),
     ("m", "3", "left", 1, 1, "tie")],
    columns=["model", "pairid", "cell", "expected", "unexpected", "preferred"],
)  # fmt: skip
WORTH = {"value": 2.0, "low": 1.0, "high": 3.0}
CELLS = pd.DataFrame(product(("left", "arrived"), SIDES), columns=["cell", "comparison"]).assign(**WORTH, n=9)
CROSSED = pd.DataFrame(product(("left", "arrived"), ("with", "without")), columns=["first", "second"]).assign(**WORTH)
ITEMS = CROSSED[["first", "second", "value"]].assign(item="1")
BY_REGION = pd.DataFrame(
    [("ROI", -2.0, -3.0, -1.0, 9, 0.002), ("ROI+1", 0.1, -1.0, 1.2, 9, 0.9)],
    columns=["region", "mean", "low", "high", "n_items", "p_holm"],
)
ALL = {
    "profile": along_the_sentence(PROFILE, REGION, "A finding"),
    "pairs": pair_by_pair(PAIRS, "A finding", QUANTITIES["surp"]),
    "pairs, probability": pair_by_pair(PAIRS, "A finding", QUANTITIES["prob"]),
    "conditions": by_condition(CELLS, "A finding", QUANTITIES["surp"]),
    "conditions without pairs": by_condition(CELLS.assign(comparison=""), "A finding", QUANTITIES["surp"]),
    "interaction": interaction_plot(CROSSED, ITEMS, "A finding", ("verb", "comma"), [0, 4]),
    "regions": interaction_by_region(BY_REGION, "A finding"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_chart_is_drawn_here_and_says_its_finding(name):
    drawn = svg(ALL[name])
    assert drawn.startswith("<svg") and "NaN" not in drawn
    assert ALL[name].to_dict()["description"] == "A finding", "which checks the whole chart"
    assert "</script>" not in drawn


def test_lines_differ_in_more_than_colour_and_a_single_condition_has_the_hues_of_a_pair():
    spec = ALL["profile"].to_dict()
    assert marks(spec, "line")[0]["encoding"]["strokeDash"]["scale"]["range"] == [[1, 0], [6, 3]]
    points = marks(spec, "point")
    assert len(set(points[0]["encoding"]["shape"]["scale"]["range"])) == 2
    assert [point["mark"]["filled"] for point in points] == [True, False], "unexpected sentences are hollow"
    spec = along_the_sentence(PROFILE[PROFILE["line"] == "left"], REGION, "").to_dict()
    line = marks(spec, "line")[0]["encoding"]
    assert line["color"]["scale"] == {"domain": list(SIDES), "range": [A, B]}
    assert "xOffset" not in line


@pytest.mark.slow
def test_sentences_that_are_not_compared_make_one_line_and_the_region_is_shaded():
    alone = PROFILE[(PROFILE["line"] == "left") & (PROFILE["comparison"] == "expected")].assign(comparison="")
    drawn = svg(along_the_sentence(alone, REGION, ""))
    assert len(re.findall('aria-roledescription="line mark"', drawn)) == 1
    assert len(re.findall('aria-roledescription="point"', drawn)) == 3
    spec = ALL["profile"].to_dict()
    shaded = spec["datasets"][spec["layer"][0]["data"]["name"]]
    assert [row["position"] for row in shaded] == [2, 3], "a position that is not drawn is not shaded either"
    assert shaded[0]["shade"] == pytest.approx(0.28) and shaded[1]["shade"] == pytest.approx(0.06)
    assert along_the_sentence(PROFILE, REGION.head(0), "").to_dict()["layer"][0]["mark"]["type"] == "rule"


@pytest.mark.slow
def test_words_are_data_a_click_on_pairs_names_them_both_axes_end_alike_and_what_leaves_zero_out_is_filled():
    assert json.dumps("a'b | </script>") in json.dumps(ALL["profile"].to_dict()).replace('\\"', '"')
    spec = ALL["pairs"].to_dict()
    clicks = [(param["name"], param["select"]["fields"]) for param in spec["params"] if "select" in param]
    assert clicks == [(PAIR, ["model", "pairid"])]
    points = ALL["pairs"].to_dict()["layer"][1]["encoding"]
    assert points["x"]["scale"]["domain"] == points["y"]["scale"]["domain"] == [1.0, 5.0]
    assert "NaN" not in svg(pair_by_pair(PAIRS.tail(1), "", QUANTITIES["surp"])), "of two equal values"
    drawn = svg(ALL["regions"])
    points = re.findall(r'aria-roledescription="point"[^>]*', drawn)
    assert [f'fill="{GREY}"' in point for point in points] == [True, False]
