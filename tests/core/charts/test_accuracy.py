"""Charts of accuracies: every row is there under its name, names stay text, long ones are folded."""

import json

import altair as alt
import pandas as pd
import pytest

from pairlens.charts.accuracy import GROUP, accuracy_beside, accuracy_by_group
from pairlens.charts.hues import hue_and_mark, hues_of
from pairlens.charts.named_rows import Measure
from pairlens.charts.style import GREY, A
from tests.drawn import HOSTILE, rows_of

RIGHT = Measure("Pairs right")
NOTHING = pd.DataFrame(columns=["group", "system", "value", "mark"])


@pytest.fixture
def groups():
    names = ["island_effects_of_a_complex_noun_phrase", "agreement", HOSTILE]
    rows = pd.DataFrame({"model": "m", "group": names, "section": ["one", "one", "two"]})
    return rows.assign(value=0.7, low=0.6, high=0.8, n=20, chance=0.5)


def drawn(groups, published=NOTHING, **options):
    return accuracy_by_group(groups, "finding", RIGHT, published, **options).to_dict()


def rows_in(spec):
    """The names of the rows, from above."""
    return spec["layer"][-1]["encoding"]["y"]["scale"]["domain"]


def labels(spec):
    return [axis["labelExpr"] for axis in _axes(spec) if "labelExpr" in axis]


def _axes(node):
    if isinstance(node, list):
        return [axis for child in node for axis in _axes(child)]
    if not isinstance(node, dict):
        return []
    own = [node["axis"]] if isinstance(node.get("axis"), dict) else []
    return own + [axis for child in node.values() for axis in _axes(child)]


@pytest.mark.slow
def test_rows_are_under_the_names_of_sections_which_are_data_folded_and_named_by_a_click(groups):
    names, spec = list(groups["group"]), drawn(groups)
    assert rows_in(spec) == ["§one", *names[:2], "§two", HOSTILE]
    assert rows_in(drawn(groups, sections=False)) == rows_in(drawn(groups.assign(section=names))) == names
    expression = labels(spec)[0]
    assert json.dumps(HOSTILE) in expression
    assert json.dumps(["island effects of a ", "complex noun phrase"]) in expression
    assert [param["name"] for param in spec["params"]] == [GROUP]
    assert spec["params"][0]["views"] == [spec["layer"][-1]["name"]], "rows lie on top"
    assert spec["description"] == "finding"


def test_runs_have_their_hues_and_published_figures_are_grey_with_a_mark_each(groups):
    run, known = ("m", 0.6, 0.5, 0.7, 0.5, "run", "this run"), ("GPT-2", 0.9, None, None, None, "same", "")
    rows = pd.DataFrame([run, known], columns=["name", "value", "low", "high", "chance", "mark", "note"])
    marks = {
        layer["transform"][0]["filter"]: layer["mark"]["filled"]
        for layer in accuracy_beside(rows, "finding", RIGHT).to_dict()["layer"]
        if "transform" in layer and layer["mark"]["type"] == "point"
    }
    assert marks == {"datum.mark === 'run'": True, "datum.mark === 'same'": True}
    published = pd.DataFrame({"group": ["agreement"] * 2, "system": ["LSTM", "GPT-2"], "value": [0.9, 0.8]})
    spec = drawn(groups, published)
    (dots,) = [layer for layer in spec["layer"] if layer["encoding"].get("shape", {}).get("field") == "system"]
    assert dots["mark"]["filled"] and dots["mark"]["color"] == GREY
    assert dots["encoding"]["shape"]["scale"]["domain"] == ["LSTM", "GPT-2"]
    written = {row["group"]: row["published"] for row in rows_of(spec, "here")}
    assert written["agreement"] == "LSTM 90.0%; GPT-2 80.0%" and not written[HOSTILE]


def test_models_stand_beside_each_other_in_a_hue_and_mark_each(groups):
    both = pd.concat([groups, groups.assign(model="other")], ignore_index=True)
    spec = drawn(both)
    spread = [one["encoding"] for one in spec["layer"] if {"x2", "color"} <= {*one["encoding"]}]
    assert [one["yOffset"]["scale"]["domain"] for one in spread] == [["m", "other"]]
    assert spread[0]["color"]["scale"]["range"] == hues_of(["m", "other"])
    rows = both.drop_duplicates("model").assign(name=["m", "other"], mark="run", note="")
    beside = accuracy_beside(rows, "finding", RIGHT).to_dict()
    hues = [layer["encoding"]["color"]["scale"]["range"] for layer in beside["layer"] if "color" in layer["encoding"]]
    assert hues == [hues_of(["m", "other"])] * 2
    spec = drawn(pd.concat([groups, groups.assign(model="other", value=0.8)]))
    dots = next(layer for layer in spec["layer"] if "shape" in layer["encoding"])
    for channel in ("color", "shape"):
        scale = dots["encoding"][channel]["scale"]
        assert scale["domain"] == ["m", "other"] and len(set(scale["range"][:2])) == 2
        assert dots["encoding"][channel]["legend"]["title"] == "Model"
    assert rows_of(spec, "here")[0]["here"] == "m 70.0% (60.0% to 80.0%); other 80.0% (60.0% to 80.0%)"


def test_one_model_needs_no_legend_and_twenty_differ_in_hue_or_mark():
    assert hue_and_mark("model", ["m", "m"], "Model") == (alt.ColorValue(A), alt.ShapeValue("circle"))
    channels = hue_and_mark("model", map(str, range(20)), "Model")
    hue, mark = (channel.to_dict()["scale"]["range"] for channel in channels)
    assert len(set(zip(hue, mark, strict=True))) == 20


def chance_layers(groups):
    spec = drawn(groups)
    return [layer for layer in spec["layer"] if layer["encoding"].get("x", {}).get("field") == "chance"]


@pytest.mark.slow
def test_chance_is_that_of_the_data_and_what_is_no_share_is_not_written_in_per_cent(groups):
    (line,) = chance_layers(groups.assign(chance=0.2))
    assert line["mark"]["type"] == "rule" and "y" not in line["encoding"]
    (ticks,) = chance_layers(groups.assign(chance=[0.2, 0.5, 0.5]))
    assert ticks["mark"]["type"] == "tick" and "y" in ticks["encoding"]
    assert chance_layers(groups.assign(chance=float("nan"))) == []
    spec = accuracy_by_group(groups.assign(chance=0.0), "finding", Measure("Correlation", "correlation"), NOTHING)
    axis = next(layer["encoding"]["x"] for layer in spec.to_dict()["layer"] if "value" in str(layer["encoding"]["x"]))
    assert "format" not in axis["axis"] and axis["scale"] == {"zero": True} and axis["title"] == "Correlation"
