"""Charts: the right data at the right place, words as labels only, colours by meaning."""

import json

import altair as alt
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.charts.classroom import class_against_model
from pairlens.charts.drawing import drawable, svg
from pairlens.charts.named_rows import Measure, named_rows
from pairlens.charts.next_word import PIECE, likeliest
from pairlens.charts.nli import result_grid
from pairlens.charts.run_numbers import margin_histogram, over_temperature, over_training
from pairlens.charts.sentence_pair import difference_by_word, running_difference, surprisal_by_word
from pairlens.charts.style import A, B, finish, positions
from pairlens.studies.classroom.shares import OUTCOMES

WORDS = pd.DataFrame({
    "position": [1, 2, 3, 3], "label": ["the", "the", *["a'b | </script>"] * 2], "member": ["both", "both", "A", "B"],
    "word": ["the", "the", "a'b", "</script>"], "surprisal": [3.0, 5.0, 1.0, 2.0], "probability": 0.125,
})  # fmt: skip
STEPS = pd.DataFrame(
    {"model": "m", "position": [1, 2], "label": ["x", "y"], "running": [0.0, -2.0], "difference": [0.0, -2.0]}
)
PIECES = pd.DataFrame({"rank": [1, 2], "label": ["·the", "'"], "probability": [0.6, 0.4]})
ALL = {
    "words": surprisal_by_word(WORDS, "A wins"),
    "running": running_difference(STEPS, "A wins", marks={"first difference": 2, "settled": 2}),
    "difference": difference_by_word(STEPS, "A wins"),
    "pieces": likeliest(PIECES, "A wins", PIECE),
    "margins": margin_histogram(pd.DataFrame({"margin": [-1.0, 0.0, 2.0]}), "A wins"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_every_chart_is_drawn_here_and_says_its_finding(name):
    assert svg(ALL[name]).startswith("<svg")
    assert ALL[name].to_dict()["description"] == "A wins", "which checks the whole chart"


@pytest.mark.slow
def test_repeated_words_marks_at_one_place_and_differences_keep_their_bar_text_label_and_hue():
    drawn = svg(ALL["words"])
    assert drawn.count('aria-roledescription="bar"') == 4
    assert "&lt;/script&gt;" in drawn and "</script>" not in drawn
    chart = surprisal_by_word(WORDS[WORDS["member"] != "both"], "")
    assert len(json.loads(chart.to_json())["layer"]) == 2
    assert "first difference · settled" in svg(ALL["running"])
    drawn = svg(ALL["difference"])
    assert B in drawn and A not in drawn


@pytest.mark.slow
def test_marks_near_an_end_lean_inwards_labels_never_shrink_the_plot_and_positions_run_as_their_words_are_written():
    steps = pd.DataFrame({"model": "m", "position": range(1, 7), "label": list("abcdef"), "running": 1.0})
    for position, align in ((1, "left"), (3, "center"), (6, "right")):
        spec = running_difference(steps, "A wins", marks={"settled": position}).to_dict()
        assert spec["layer"][-1]["mark"]["align"] == align
        assert spec["autosize"]["type"] == "fit-x"

    def leftwards(*words):
        frame = pd.DataFrame({"position": range(len(words)), "label": words})
        return positions(frame).to_dict()["scale"]["reverse"]

    assert leftwards("הילדים", "משחקים") and leftwards("«", "الأولاد")
    assert not leftwards("The", "boy") and not leftwards("...", "42") and not leftwards("我", "买")


@pytest.mark.slow
@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=60))
def test_every_pair_is_in_the_histogram_once(margins):
    spec = margin_histogram(pd.DataFrame({"margin": margins}), "finding").to_dict(validate=False)
    bins = pd.DataFrame(next(rows for rows in spec["datasets"].values() if "side" in rows[0]))
    counts = bins.groupby("side")["n"].sum().reindex(["right", "wrong", "tie"], fill_value=0).tolist()
    assert counts == [sum(of_side) for of_side in zip(*((m > 0, m < 0, m == 0) for m in margins), strict=True)]
    assert (bins.loc[bins["side"] == "right", "low"] >= 0).all()
    assert (bins.loc[bins["side"] == "wrong", "high"] <= 0).all()
    assert bins["low"].nunique() <= 42


def test_colours_between_grey_and_blue_or_orange_have_no_other_hue():
    """Without `interpolate` a small gain is pink: the browser goes round the colour wheel."""
    row = {"classes": "E", "row": "data", "column": "model", "value": 0.5, "gain": 0.1, "shown": "0.5\nn 2"}
    layers = result_grid(pd.DataFrame([row]), "", ("rows", "columns")).to_dict()["layer"]
    [coloured] = [layer["encoding"]["color"]["scale"] for layer in layers if "color" in layer["encoding"]]
    assert coloured["interpolate"] in ("lab", "rgb")
    assert (coloured["range"][0], coloured["range"][-1]) == (B, A)


def test_every_step_of_the_class_has_its_place_and_every_outcome_its_count():
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


@pytest.mark.parametrize("name", ["a\x00b", "\x01\x08\x0c\x1f", "\uffff\ufffe", "\\u0000 \\beta"])
def test_rows_may_bear_any_name(name):
    """Some characters would end the process."""
    rows = pd.DataFrame({"group": [name, "other"], "section": [name, "other"], "value": [1.0, 2.0]})
    chart = alt.Chart(rows).mark_bar().encode(y=named_rows(rows), x="value:Q")
    assert "other" in svg(finish(chart, name))


@given(st.text())
def test_only_what_xml_lacks_is_replaced(text):
    clean = drawable({"title": text})["title"]
    assert len(clean) == len(text)
    changed = {before for before, after in zip(text, clean, strict=True) if before != after}
    assert all(ord(one) < 32 or one in "\ufffe\uffff" for one in changed)
    inside = drawable({"labelExpr": json.dumps([text]) + "[0]"})["labelExpr"].removesuffix("[0]")
    assert json.loads(inside) == [clean]


# Curves over training and over temperature

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


def test_all_paradigms_and_published_numbers_stand_behind_a_curve_whose_points_can_be_clicked():
    others = POINTS.assign(line="agreement", value=0.7, low=0.6, high=0.8)
    published = pd.DataFrame({"system": ["GPT-2 small"], "value": [0.75]})
    spec = over_training(POINTS, "finding", RIGHT, others=others, baselines=published).to_dict()
    kinds = [layer["mark"]["type"] for layer in spec["layer"]]
    assert kinds[:2] == ["line", "rule"] and kinds[-1] == "point"
    assert [one["name"] for one in spec["params"]] == ["turned"]
    assert any(row == {"system": "GPT-2 small", "value": 0.75} for rows in spec["datasets"].values() for row in rows)


@pytest.mark.slow
def test_the_best_temperature_says_how_it_was_chosen_and_curves_can_be_drawn():
    spec = over_temperature(POINTS, "finding", RIGHT).to_dict()
    label = next(rows for rows in spec["datasets"].values() if "said" in rows[0])
    assert [(row["temperature"], row["said"]) for row in label] == [(1.0, "highest, chosen on the evaluation data")]
    assert axes(spec, "x")[0]["title"] == "Temperature of the softmax"
    assert "Words seen" in svg(over_training(POINTS, "finding", RIGHT))
    assert "chosen on the evaluation data" in svg(over_temperature(POINTS, "finding", RIGHT))
