"""Charts: the right data at the right place, words as labels only, colours by meaning."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from core.charts.drawing import svg
from core.charts.next_word import PIECE, likeliest
from core.charts.run_numbers import margin_histogram
from core.charts.sentence_pair import difference_by_word, running_difference, surprisal_by_word
from core.charts.style import A, B

WORDS = pd.DataFrame(
    [
        (1, "the", "both", "the", 3.0, 0.125),
        (2, "the", "both", "the", 5.0, 0.03125),
        (3, "a'b | </script>", "A", "a'b", 1.0, 0.5),
        (3, "a'b | </script>", "B", "</script>", 2.0, 0.25),
    ],
    columns=["position", "label", "member", "word", "surprisal", "probability"],
)
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
    assert ALL[name].description == "A wins"


def test_a_repeated_word_keeps_its_own_bar():
    drawn = svg(ALL["words"])
    assert len(re.findall(r'aria-roledescription="bar"', drawn)) == 4


def test_words_are_text_in_the_drawing():
    drawn = svg(ALL["words"])
    assert "&lt;/script&gt;" in drawn and "</script>" not in drawn


def test_no_shared_words_no_empty_layer():
    chart = surprisal_by_word(WORDS[WORDS["member"] != "both"], "")
    assert len(json.loads(chart.to_json())["layer"]) == 2


def test_both_marks_at_one_place_share_their_label():
    assert "first difference · settled" in svg(ALL["running"])


@pytest.mark.slow
def test_a_mark_near_an_end_leans_inwards_and_labels_never_shrink_the_plot():
    steps = pd.DataFrame({"model": "m", "position": range(1, 7), "label": list("abcdef"), "running": 1.0})
    for position, align in ((1, "left"), (3, "center"), (6, "right")):
        spec = running_difference(steps, "A wins", marks={"settled": position}).to_dict()
        assert spec["layer"][-1]["mark"]["align"] == align
        assert spec["autosize"]["type"] == "fit-x"


def test_differences_are_blue_above_zero_and_orange_below():
    drawn = svg(ALL["difference"])
    assert B in drawn and A not in drawn


def test_positions_run_as_their_words_are_written():
    from core.charts.style import positions

    def leftwards(*words):
        frame = pd.DataFrame({"position": range(len(words)), "label": words})
        return positions(frame).to_dict()["scale"]["reverse"]

    assert leftwards("הילדים", "משחקים") and leftwards("«", "الأولاد")
    assert not leftwards("The", "boy") and not leftwards("...", "42") and not leftwards("我", "买")
