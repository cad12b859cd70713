"""Charts of StereoSet: 50 in the middle, grey for what says nothing."""

from itertools import product

import altair as alt
import pandas as pd
import pytest

from pairlens.charts.drawing import svg
from pairlens.charts.stereoset import (
    MEASURES,
    TERM,
    _readable,
    by_bias_type,
    by_definition,
    headline_rows,
    terms_in_funnel,
)
from pairlens.charts.style import GREY, A, B
from tests.drawn import HOSTILE, marks, rows_of


def spread(value):
    return {"value": value, "low": value - 5, "high": value + 5}


def scored(*models, quiet=""):
    rows = product(models, {"LMS": 80.0, "SS": 56.0, "ICAT": 70.4}.items())
    return pd.DataFrame(
        {"model": model, "measure": measure, "quiet": model == quiet and measure == "SS"} | spread(value)
        for model, (measure, value) in rows
    )


def test_three_rows_from_0_to_100_with_what_numbers_mean_and_grey_where_they_say_nothing():
    spec = headline_rows(scored("m"), "finding").to_dict()
    (dots,) = marks(spec, "point")
    assert dots["encoding"]["y"]["scale"]["domain"] == list(MEASURES.values())
    assert dots["encoding"]["x"]["scale"]["domain"] == [0, 100]
    rows = [row for rows in spec["datasets"].values() for row in rows if "means" in row]
    assert {(row["value"], row["means"]) for row in rows if row["group"] == MEASURES["ICAT"]} == {
        (0, "always stereotype"), (50, "coin"), (100, "ideal"),
    }  # fmt: skip
    assert spec["description"] == "finding"
    spec = headline_rows(scored("m", "n", quiet="n"), "finding").to_dict()
    for layer in (*marks(spec, "point"), *marks(spec, "rule")):
        condition = layer["encoding"]["color"]["condition"]
        assert condition["test"] == "datum.quiet" and condition["value"] == GREY
    assert [row["model"] for row in rows_of(spec, "quiet") if row["quiet"]] == ["n"]


@pytest.mark.parametrize("values", [(44.0, 52.0), (50.0, 50.0), (0.0, 97.0)])
def test_50_is_in_the_middle(values):
    rows = pd.DataFrame(
        [{"bias_type": name} | spread(value) for name, value in zip(("race", HOSTILE), values, strict=True)]
    )
    chart = by_bias_type(rows.assign(model="m", n=20, terms=3, quiet=False), "finding")
    low, high = marks(chart.to_dict(), "point")[0]["encoding"]["x"]["scale"]["domain"]
    assert (low + high == pytest.approx(100) and low <= min(values) - 5) or low == 0
    assert HOSTILE.split('"')[0] in svg(chart)


def test_terms_outside_stand_out_those_on_each_other_stand_side_by_side_and_names_do_not():
    rows = [("a", 20, 95.0, True), ("b", 20, 50.0, False), ("c", 30, 0.0, True)]
    terms = pd.DataFrame(rows, columns=["term", "n", "ss", "outside"]).assign(bias_type="race")
    spec = terms_in_funnel(terms, 52.0, "finding").to_dict()
    named = next(layer for layer in spec["layer"] if layer["mark"]["type"] == "text")
    assert {row["term"] for row in spec["datasets"][named["data"]["name"]]} == {"a", "c"}
    (dots,) = marks(spec, "point")
    assert [one["value"] for one in dots["encoding"]["color"]["condition"]] == [GREY, B]
    assert dots["encoding"]["color"]["value"] == A
    assert spec["params"][0]["name"] == TERM
    low, high = dots["encoding"]["y"]["scale"]["domain"]
    assert low < 0 and high > 100, "a mark on the edge would take no click"
    rows = pd.DataFrame(
        {"term": list("abcd"), "bias_type": "race", "n": 20, "ss": [50.0, 50.0, 50.0, 40.0], "outside": False}
    )
    spec = terms_in_funnel(rows, 52.0, "finding").to_dict()
    across = {row["term"]: row["across"] for row in rows_of(spec, "across")}
    assert across["d"] == 20 and across["b"] == 20
    assert across["a"] == pytest.approx(40 - across["c"]) and 19.5 < across["a"] < 20
    # The farther of two neighbours is named; where no term is outside, none is.
    terms = pd.DataFrame(
        {
            "term": ["far", "near", "other", "inside"], "across": [20.0, 20.3, 21.0, 26.0],
            "ss": [90.0, 89.0, 12.0, 50.0], "outside": [True, True, True, False],
        }
    )  # fmt: skip
    assert list(_readable(terms)["term"]) == ["far", "other"]
    assert _readable(terms.assign(outside=False)).empty


def test_definitions_ring_the_usual_one_and_leave_out_what_is_not_known():
    rows = pd.DataFrame(product("cd", ("terms", "examples")), columns=["definition", "aggregation"])
    rows = rows.assign(lms=70.0, ss=[50, 51, 52, None], icat=60.0, usual=[False, False, True, False])
    spec = by_definition(rows, "ss", "finding").to_dict()
    ring, dots = marks(spec, "point")
    assert ring["transform"] == [{"filter": "datum.usual"}]
    assert len(spec["datasets"][dots["data"]["name"]]) == 3
    assert isinstance(by_definition(rows, "lms", "finding"), alt.LayerChart)
