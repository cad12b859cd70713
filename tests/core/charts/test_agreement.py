"""Charts of an agreement set: every group with its n, models in hues, choosers in grey, names as text."""

import json

import numpy as np
import pandas as pd
import pytest
from candidate_table import candidate_table

from pairlens.analysis.agreement import agreement_numbers
from pairlens.charts.agreement import GROUP, accuracy_by_group, accuracy_of_heuristics
from pairlens.charts.drawing import svg
from pairlens.charts.style import GREY
from pairlens.policies import Policy
from pairlens.types import Candidate, Item
from tests.drawn import HOSTILE, marks, rows_of

pytestmark = pytest.mark.slow


def made(**columns):
    """Two of three items are right."""
    margins = [1.0, 2.0, -1.0]
    forms = Candidate(" is", "correct", "It"), Candidate(" are", "wrong", "It")
    groups = pd.DataFrame({"number": ["singular"] * 3, **columns}).to_dict("records")
    items = [Item(str(place), forms, "correct", of_item) for place, of_item in enumerate(groups)]
    table = candidate_table(items, lambda item, one: (margins[int(item.id)] * (one.label == "correct"), 1))
    return agreement_numbers(table, Policy())


@pytest.fixture(scope="module")
def numbers():
    return made(attractors=["0", "1", "1"], cls_noun=["singular", "plural", "plural"])


def of(**tables):
    """The tables of models under each other."""
    return pd.concat([table.assign(who=model) for model, table in tables.items()])


def beside(finding, **numbers):
    """The chart of these models' heuristics."""
    overall = pd.DataFrame([{"who": who, **one.overall[["n", "share"]]} for who, one in numbers.items()])
    return accuracy_of_heuristics(of(**{who: one.heuristics for who, one in numbers.items()}), overall, finding)


def all_rows(spec, *columns):
    return [row for rows in spec["datasets"].values() for row in rows if {*columns} <= {*row}]


def test_groups_stand_in_their_order_with_the_n_of_their_models(numbers):
    spec = accuracy_by_group(of(m=numbers.by["attractors"]), "Attractors", "finding").to_dict()
    (dots,) = marks(spec, "point")
    assert dots["encoding"]["x"]["scale"]["domain"] == ["0", "1"]
    assert json.dumps({"0": ["0", "n = 1"], "1": ["1", "n = 2"]}) in dots["encoding"]["x"]["axis"]["labelExpr"]
    drawn = {(row["who"], row["group"]): row["share"] for row in all_rows(spec, "who", "group")}
    assert drawn["m", "0"] == 1 and drawn["m", "1"] == 0.5
    assert drawn["always the singular", "1"] == 1 and drawn["the last noun before the verb", "1"] == 0
    assert not any(who == "the more frequent form" for who, _ in drawn), "the file does not say how frequent they are"
    assert spec["description"] == "finding"
    fewer = numbers.by["attractors"].assign(n=numbers.by["attractors"]["n"] - [0, 1])
    spec = accuracy_by_group(of(m=numbers.by["attractors"], o=fewer), "Attractors", "f").to_dict()
    assert "n = 1 to 2" in marks(spec, "point")[0]["encoding"]["x"]["axis"]["labelExpr"]
    bare = numbers.by["attractors"].assign(low=np.nan, high=np.nan)
    spec = accuracy_by_group(of(m=bare), "Attractors", "f").to_dict()
    assert {row["low"] for row in all_rows(spec, "who", "low")} == {None}
    assert pd.DataFrame(rows_of(spec, "here"))["here"].str.contains("nan").sum() == 0


def test_models_have_hues_and_choosers_are_grey_lines_across_the_group(numbers):
    tables = {name: numbers.by["attractors"] for name in ("m", "n")}
    spec = accuracy_by_group(of(**tables), "Attractors", "f").to_dict()
    (dots,) = marks(spec, "point")
    assert dots["encoding"]["color"]["scale"]["domain"] == [*tables]
    assert GREY not in dots["encoding"]["color"]["scale"]["range"]
    assert len(set(dots["encoding"]["shape"]["scale"]["range"])) == 2
    assert dots["encoding"]["xOffset"]["scale"]["domain"] == [*tables], "nothing else has a place: above their label"
    lines = [layer for layer in marks(spec, "rule") if "strokeDash" in layer["encoding"]]
    assert {layer["mark"]["color"] for layer in lines} == {GREY}
    style = lines[0]["encoding"]["strokeDash"]["scale"]
    assert style["domain"] == ["always the singular", "the last noun before the verb"]
    assert style["range"][0] != style["range"][1]
    ends = [lines[0]["encoding"][end]["bandPosition"] for end in ("x", "x2")]
    assert ends[0] < 0.1 and ends[1] > 0.9
    alike = numbers.by["attractors"].assign(always_singular=0.5, cls_noun=0.5)
    spec = accuracy_by_group(of(m=alike), "Attractors", "f").to_dict()
    offsets = [layer["mark"]["yOffset"] for layer in marks(spec, "rule") if "strokeDash" in layer["encoding"]]
    assert len(offsets) == len({*offsets}) == 2


def test_a_click_names_the_group_and_names_stay_text(numbers):
    spec = accuracy_by_group(of(m=numbers.by["attractors"]), "Attractors", "f").to_dict()
    assert [param["name"] for param in spec["params"]] == [GROUP]
    assert spec["params"][0]["views"] == [spec["layer"][-1]["name"]]
    about = {row["group"]: row["here"] for row in rows_of(spec, "here")}
    assert about["0"].startswith("m 100.0%") and about["1"].startswith("m 50.0% (")
    titles = [field["title"] for field in spec["layer"][-1]["encoding"]["tooltip"]]
    assert titles == ["Attractors", "Items right", "Items"]
    chart = accuracy_by_group(of(**{HOSTILE: made(type=[HOSTILE, "b", "b"]).by["type"]}), "Sentences", "f")
    assert json.dumps(HOSTILE) in marks(chart.to_dict(), "point")[0]["encoding"]["x"]["axis"]["labelExpr"]
    assert "alert" in svg(chart)


def test_heuristics_alone_and_the_model_where_they_are_wrong_and_charts_of_several_models_are_drawings(numbers):
    spec = beside("finding", m=numbers).to_dict()
    drawn = {row["who"]: row for row in all_rows(spec, "who", "group", "share")}
    assert drawn["the heuristic alone"]["share"] == pytest.approx(1 / 3) and drawn["the heuristic alone"]["n"] == 3
    assert drawn["m"]["share"] == 0.5 and drawn["m"]["n"] == 2
    lines = [row for rows in spec["datasets"].values() for row in rows if set(row) == {"who", "n", "share"}]
    assert [row["share"] for row in lines] == pytest.approx([2 / 3])
    assert spec["description"] == "finding"
    spec = beside("f", m=made(cls_noun=["singular"] * 3)).to_dict()
    assert [row["who"] for row in all_rows(spec, "who", "group")] == ["the heuristic alone"]
    models = ("m", "n", "o")
    tables = {name: numbers.by["attractors"] for name in models}
    drawing = svg(accuracy_by_group(of(**tables), "Attractors", "finding"))
    assert "n = 2" in drawing and "a blind guess" in drawing
    assert "the last noun before the verb" in svg(beside("finding", **dict.fromkeys(models, numbers)))
