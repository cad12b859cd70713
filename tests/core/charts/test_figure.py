"""Figures for print: the size that was asked for, letters of 8 to 9 points, embedded, and names of one's own."""

import re
import struct
from xml.etree import ElementTree

import altair as alt
import pandas as pd
import pytest

from pairlens.charts.experiment import QUANTITIES, along_the_sentence, pair_by_pair
from pairlens.charts.figure import WIDTHS, Look, figure, names, pdf, png
from pairlens.charts.hues import dashes, hue_and_mark, line_legend
from pairlens.charts.named_rows import named_rows
from pairlens.charts.sentence_pair import surprisal_by_word
from pairlens.charts.style import finish

WORDS = ["The", "keys", "to", "the", "cabinet", "are", "here"]
SIDES = [*["both"] * 5, "A", "B", "A", "B"]
IN_PAIR = pd.DataFrame({"position": [1, 2, 3, 4, 5, 6, 6, 7, 7], "member": SIDES})
IN_PAIR["label"] = IN_PAIR["word"] = [WORDS[place - 1] for place in IN_PAIR["position"]]
PAIR = surprisal_by_word(IN_PAIR.assign(surprisal=3.5, probability=0.1), "finding")
PROFILE = pd.DataFrame(
    [(line, place, word) for line in ("plain", "attracted") for place, word in enumerate(WORDS)],
    columns=["line", "position", "label"],
).assign(comparison="", surp=4.0, low=3.0, high=5.0, n=9)
NOTHING = pd.DataFrame(columns=["position", "region", "share"])
PROFILE_CHART = along_the_sentence(PROFILE, NOTHING, "finding")
POINT = 1 / 72 * 2.54
pytestmark = pytest.mark.slow


def rows_of(*names):
    """A chart whose rows have these names."""
    rows = pd.DataFrame({"group": names, "section": names, "value": [1, 2]})
    return finish(alt.Chart(rows).mark_bar().encode(y=named_rows(rows), x="value:Q"), "finding", height=alt.Step(20))


def texts(drawing):
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
    for chart in (PAIR, PROFILE_CHART, rows_of("a_long_name_of_a_group", "b")):
        drawing = figure(chart, Look(width))
        units = float(re.findall('viewBox="0 0 ([0-9.]+)', drawing)[0])
        sizes = {float(size) * width / units / POINT for size in re.findall('font-size="([0-9.]+)px"', drawing)}
        assert sizes and min(sizes) > 7.9 and max(sizes) < 9.1
        assert 'fill="white"' in drawing


def test_a_figure_is_laid_out_anew_with_positions_numbered_from_1_and_the_word_below():
    heights = [float(re.findall('height="([0-9.]+)cm"', figure(PROFILE_CHART, Look(width)))[0]) for width in WIDTHS]
    assert heights[0] > 0.8 * heights[1]
    assert dict(names(PAIR).positions) == {str(place): word for place, word in enumerate(WORDS, start=1)}
    assert texts(figure(PROFILE_CHART, Look(17.5)))[:4] == texts(figure(PAIR, Look(17.5)))[:4]
    drawn = figure(PROFILE_CHART, Look(17.5))
    assert {"1", "7", "The", "here"} <= {*re.findall(">([^<>]+)</t", drawn)}


def test_title_conditions_positions_and_rows_have_the_names_that_were_asked_for():
    look = Look(17.5, "A <title> of one's own", {"A": "plural & co", "both": " "}, {"2": "NOUN"})
    drawn = figure(PAIR, look)
    assert names(PAIR).conditions == ("A", "B", "both")
    said = {*re.findall(">([^<>]+)</t", drawn)}
    assert {"A &lt;title&gt; of one's own", "plural &amp; co", "B", "both", "NOUN"} <= said
    assert not {"A", "keys"} & said
    drawn = figure(PAIR, Look(8.5, "word " * 30))
    assert "cm" in drawn and drawn.count("word word") > 2
    chart = rows_of("one_group", "another")
    assert names(chart).conditions == ("one_group", "another")
    assert "first" in figure(chart, Look(conditions={"one_group": "first"}))


def test_several_charts_fit_the_width_together_and_numbers_have_a_comma_where_it_is_asked_for():
    part = PROFILE_CHART.copy(deep=False).properties(width=640)
    part.config = part.autosize = alt.Undefined
    drawing = figure(finish(alt.vconcat(part, part), "finding"), Look(8.5))
    assert abs(float(re.findall('viewBox="0 0 ([0-9.]+)', drawing)[0]) - 361) <= 2
    chart = finish(alt.Chart(pd.DataFrame({"x": [0.0, 0.5]})).mark_point().encode(x="x:Q"), "finding")
    for comma, mark in ((True, ","), (False, r"\.")):
        assert re.search(rf">0{mark}\d+<", figure(chart, Look(decimal_comma=comma)))


def test_a_scatter_of_like_quantities_is_square_at_every_width():
    pairs = pd.DataFrame({"model": "m", "pairid": [*"012"], "expected": [3.0, 4.0, 5.0], "unexpected": 4.0})
    pairs = pairs.assign(cell="", preferred="expected")
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
