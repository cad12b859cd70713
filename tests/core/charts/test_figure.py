"""Figures for print: the size that was asked for, letters of 8 to 9 points, embedded, and names of one's own."""

from __future__ import annotations

import re
import struct
from xml.etree import ElementTree

import altair as alt
import pandas as pd
import pytest

from core.charts.experiment import QUANTITIES, along_the_sentence, pair_by_pair
from core.charts.figure import WIDTHS, Look, figure, names, pdf, png
from core.charts.hues import dashes, hue_and_mark, line_legend
from core.charts.named_rows import named_rows
from core.charts.sentence_pair import surprisal_by_word
from core.charts.style import finish

WORDS = ["The", "keys", "to", "the", "cabinet", "are", "here"]
PAIR = surprisal_by_word(
    pd.DataFrame(
        [
            {"position": place, "label": word, "member": member, "word": word, "surprisal": 3.5, "probability": 0.1}
            for place, word in enumerate(WORDS, start=1)
            for member in (("A", "B") if place > 5 else ("both",))
        ]
    ),
    "finding",
)  # fmt: skip
PROFILE = pd.DataFrame(
    [
        {
            "line": line,
            "comparison": "",
            "position": place,
            "label": word,
            "surp": 4.0,
            "low": 3.0,
            "high": 5.0,
            "n": 9,
        }
        for line in ("plain", "attracted")
        for place, word in enumerate(WORDS)
    ]
)
NOTHING = pd.DataFrame(columns=["position", "region", "share"])
PROFILE_CHART = along_the_sentence(PROFILE, NOTHING, "finding")
POINT = 1 / 72 * 2.54
pytestmark = pytest.mark.slow


def texts(drawing: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("width", [*WIDTHS, 12.0])
def test_every_kind_of_file_has_the_width_that_was_asked_for(width):
    drawing = figure(PAIR, Look(width))
    assert f'width="{width:g}cm"' in drawing
    image = png(drawing)
    assert abs(struct.unpack(">I", image[16:20])[0] - width / 2.54 * 300) < 2
    per_metre = struct.unpack(">II", image[image.index(b"pHYs") + 4 :][:8])
    assert [round(one * 0.0254) for one in per_metre] == [300, 300]
    (box,) = re.findall(rb"/MediaBox ?\[0 0 ([0-9.]+) ", pdf(drawing))
    assert float(box) * POINT == pytest.approx(width, abs=0.01)


def test_letters_are_embedded_in_the_pdf_and_legible_without_our_faces_in_the_svg():
    drawing = figure(PAIR, Look())
    assert b"/FontFile" in pdf(drawing)
    assert {*re.findall('font-family="([^"]*)"', drawing)} == {"Arial, Liberation Sans, Helvetica, sans-serif"}


@pytest.mark.parametrize("width", WIDTHS)
def test_letters_are_8_to_9_points_high_and_the_ground_is_white(width):
    small = pd.DataFrame({"group": ["a_long_name_of_a_group", "b"], "section": ["x", "x"], "value": [1, 2]})
    rows = finish(
        alt.Chart(small).mark_bar().encode(y=named_rows(small), x="value:Q"), "finding", height=alt.Step(20)
    )
    for chart in (PAIR, PROFILE_CHART, rows):
        drawing = figure(chart, Look(width))
        units = float(re.findall('viewBox="0 0 ([0-9.]+)', drawing)[0])
        sizes = {float(size) * width / units / POINT for size in re.findall('font-size="([0-9.]+)px"', drawing)}
        assert sizes and min(sizes) > 7.9 and max(sizes) < 9.1
        assert 'fill="white"' in drawing


def test_a_figure_is_laid_out_anew_and_not_made_smaller():
    heights = [float(re.findall('height="([0-9.]+)cm"', figure(PROFILE_CHART, Look(width)))[0]) for width in WIDTHS]
    assert heights[0] > 0.8 * heights[1]


def test_positions_are_numbered_from_1_with_the_word_below():
    assert dict(names(PAIR).positions) == {str(place): word for place, word in enumerate(WORDS, start=1)}
    assert texts(figure(PROFILE_CHART, Look(17.5)))[:4] == texts(figure(PAIR, Look(17.5)))[:4]
    drawn = figure(PROFILE_CHART, Look(17.5))
    assert {"1", "7", "The", "here"} <= {*re.findall(">([^<>]+)</t", drawn)}


def test_title_conditions_and_positions_have_the_names_that_were_given():
    look = Look(17.5, "A <title> of one's own", {"A": "plural & co", "both": " "}, {"2": "NOUN"})
    drawn = figure(PAIR, look)
    assert names(PAIR).conditions == ("A", "B", "both")
    said = {*re.findall(">([^<>]+)</t", drawn)}
    assert {"A &lt;title&gt; of one's own", "plural &amp; co", "B", "both", "NOUN"} <= said
    assert not {"A", "keys"} & said


def test_a_long_title_is_folded():
    drawn = figure(PAIR, Look(8.5, "word " * 30))
    assert "cm" in drawn and drawn.count("word word") > 2


def test_rows_are_renamed_too():
    rows = pd.DataFrame({"group": ["one_group", "another"], "section": ["one_group", "another"], "value": [1, 2]})
    chart = finish(alt.Chart(rows).mark_bar().encode(y=named_rows(rows), x="value:Q"), "finding")
    assert names(chart).conditions == ("one_group", "another")
    assert "first" in figure(chart, Look(conditions={"one_group": "first"}))


def test_several_charts_below_each_other_fit_the_width_together():
    part = PROFILE_CHART.copy(deep=False).properties(width=640)
    part.config = part.autosize = alt.Undefined
    drawing = figure(finish(alt.vconcat(part, part), "finding"), Look(8.5))
    assert abs(float(re.findall('viewBox="0 0 ([0-9.]+)', drawing)[0]) - 361) <= 2


def test_numbers_have_a_comma_where_it_is_asked_for():
    chart = finish(alt.Chart(pd.DataFrame({"x": [0.0, 0.5]})).mark_point().encode(x="x:Q"), "finding")
    for comma, mark in ((True, ","), (False, r"\.")):
        assert re.search(rf">0{mark}\d+<", figure(chart, Look(decimal_comma=comma)))


def test_a_scatter_of_like_quantities_is_square_at_every_width():
    pairs = pd.DataFrame(
        [{"model": "m", "pairid": str(n), "cell": "", "expected": 3.0 + n, "unexpected": 4.0, "preferred": "expected"}
         for n in range(3)]
    )  # fmt: skip
    for width in WIDTHS:
        drawing = figure(pair_by_pair(pairs, "finding", QUANTITIES["surp"]), Look(width))
        wide, high = map(float, re.findall(r'class="background"[^>]* d="M[0-9.,]+h([0-9.]+)v([0-9.]+)', drawing)[0])
        assert wide == pytest.approx(high, abs=1)


def test_six_lines_differ_in_hue_dash_and_mark_and_the_legend_shows_all_three():
    six = [f"line {n}" for n in range(6)]
    hue, mark = (one.to_dict()["scale"]["range"] for one in hue_and_mark("group", six, None))
    assert len({*hue}) == len({*mark}) == 6
    assert len({tuple(one) for one in dashes("group", six).to_dict()["scale"]["range"]}) == 6
    (samples,) = line_legend(hue_and_mark("group", six, None)[0], "group", six, None)
    shown = samples.to_dict()["encoding"]["shape"]
    assert shown["scale"]["domain"] == six and len({*shown["scale"]["range"]}) == 6 and shown["legend"]
