"""Predictions about regions, in words."""

from __future__ import annotations

import pytest

from core.files.formulas import formula_of, in_words, region_in_words


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("(5;%a%) > (5;%b%)", "region 5 is more surprising in a than in b"),
        ("(*;%a%) < (*;%b%)", "the whole sentence is less surprising in a than in b"),
        (
            "[(6;%a%) + (7;%a%)] < [(6;%b%) + (7;%b%)]",
            "regions 6 and 7 together are less surprising in a than in b",
        ),
        ("(5;%a%) = (6;%b%)", "region 5 in a is as surprising as region 6 in b"),
        (
            "(1;%a%) - (1;%b%) > (2;%a%) - (2;%b%)",
            "region 1 in a minus region 1 in b is more surprising than region 2 in a minus region 2 in b",
        ),
        ("(1;%a%) > 3", "region 1 in a is more surprising than 3 bits"),
        (
            "[(5;%a%) > (5;%b%)] & [(5;%a%) > (5;%c%)]",
            "region 5 is more surprising in a than in b; and region 5 is more surprising in a than in c",
        ),
    ],
)
def test_a_prediction_is_a_sentence(formula, words):
    assert in_words(formula_of(formula)) == words


def test_labels_of_regions_are_words():
    assert region_in_words("6;%plaus%") == "region 6 in plaus"
    assert region_in_words("word") == "word"
