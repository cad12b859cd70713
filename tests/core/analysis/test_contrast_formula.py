"""Formulas over cells: what they mean, how cells are named, and what is said where they cannot be read."""

import math
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.interaction import contrast, interaction
from tests.experiment_tables import region_values, sentence_table
from tests.refusals import error_of

GARDEN = Columns(item="item", conditions=("verb", "comma"))
FORMULA = "(left.nocomma - left.comma) - (arrived.nocomma - arrived.comma)"
COSTS = [8.0, 4.0, 6.0, 3.0, 9.0, 4.0, 2.0, 1.0]
"""Bits of left-nocomma, left-comma, arrived-nocomma, arrived-comma, of two items."""


def design(**values):
    levels = {"verb": ("left", "arrived"), "comma": ("nocomma", "comma")} | values
    places = product("12", *levels.values())
    return sentence_table(
        {"sentence": "word", **dict(zip(("item", *levels), place, strict=True))} for place in places
    )


@cache
def usual():
    """The usual design, and the values of its regions."""
    return design(), region_values(design(), COSTS)


def values_of(expression, sentences=None):
    table, values = usual() if sentences is None else (sentences, region_values(sentences, COSTS))
    return contrast(expression, values, table, GARDEN, Analysis()).items["value"].tolist()


def test_the_interaction_as_a_formula_has_the_same_table():
    sentences, values = usual()
    by_formula = contrast(FORMULA, values, sentences, GARDEN, Analysis())
    by_factors = interaction(values, sentences, GARDEN, Analysis(), ("verb", "comma"))
    assert by_formula.items["value"].tolist() == [1.0, 4.0]
    pd.testing.assert_frame_equal(by_formula.table, by_factors.table)
    pd.testing.assert_frame_equal(by_formula.items, by_factors.items)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("left.comma", [4.0, 4.0]),
        ("-left.comma", [-4.0, -4.0]),
        ("left.nocomma - left.comma - 1", [3.0, 4.0]),
        ("left.nocomma − left.comma", [4.0, 5.0]),
        ("2 * left.comma + left.nocomma / 4", [10.0, 10.25]),
        ("left.nocomma-left.comma*2", [0.0, 1.0]),
        ("(left.nocomma + left.comma) / 2", [6.0, 6.5]),
        ("--left.comma + +1.5", [5.5, 5.5]),
        ("left.nocomma / arrived.nocomma", [8 / 6, 9 / 2]),
        ('"left".comma + left."comma"', [8.0, 8.0]),
    ],
)  # fmt: skip
def test_arithmetic(expression, expected):
    assert values_of(expression) == pytest.approx(expected)


def test_values_that_are_more_than_words_are_quoted_letters_of_all_languages_are_not_and_names_of_columns_may_be():
    sentences = design(comma=("no comma, sir", "a_b-c"), verb=("1", "it's"))
    assert values_of('"1".\'no comma, sir\' - "1"."a_b-c"', sentences=sentences) == [4.0, 5.0]
    assert values_of('"it\'s"."a_b-c"', sentences=sentences) == [3.0, 1.0]
    sentences = design(verb=('"left"', "'s"))
    assert values_of('\'"left"\'.comma - "\'s".comma', sentences=sentences) == [1.0, 3.0]
    assert values_of("été.comma - naïve.comma", sentences=design(verb=("été", "naïve"))) == [1.0, 3.0]
    rows = [{"sentence": "word", "item": "1", "kind": kind} for kind in ("value", "item", "region")]
    sentences = sentence_table(rows)
    columns = Columns(item="item", conditions=("kind",))
    values = region_values(sentences, [1.0, 2.0, 4.0])
    found = contrast("value + item - region", values, sentences, columns, Analysis()).items
    assert found.iloc[0].to_dict() == {
        "model": "m", "region": "sentence", "item": "1", "value": -1.0,
        '"value"': 1.0, '"item"': 2.0, '"region"': 4.0,
    }  # fmt: skip


def test_the_comparison_may_be_named_is_averaged_if_it_is_not_and_alone_is_enough():
    rows = [
        {"sentence": "word", "item": "1", "verb": verb, "comparison": side}
        for verb, side in product(("left", "arrived"), ("expected", "unexpected"))
    ]
    sentences = sentence_table(rows)
    values = region_values(sentences, [1.0, 3.0, 4.0, 8.0])
    columns = Columns(item="item", conditions=("verb",))
    cases = {"left.unexpected - left.expected": 2.0, "arrived - left": 4.0, "arrived - left.expected": 5.0}
    for expression, expected in cases.items():
        assert contrast(expression, values, sentences, columns, Analysis()).items["value"].tolist() == [expected]
    rows = [{"sentence": "word", "pairid": "1", "comparison": side} for side in ("expected", "unexpected")]
    sentences = sentence_table(rows)
    found = contrast("unexpected - expected", region_values(sentences, [1.0, 3.0]), sentences, Columns(), Analysis())
    assert found.table["mean"].tolist() == [2.0] and math.isnan(found.table["p"].iloc[0])


@pytest.mark.slow
def test_items_that_cannot_count_are_listed_with_the_reason():
    sentences = design()
    values = region_values(sentences, [*COSTS[:4], 9.0, math.nan, 2.0, 1.0])
    found = contrast("left.nocomma - left.comma", values, sentences, GARDEN, Analysis())
    assert found.excluded.to_numpy().tolist() == [["m", "sentence", "2", "none of its words is scored"]]
    others = contrast("arrived.nocomma - arrived.comma", values, sentences, GARDEN, Analysis())
    assert others.excluded.empty and others.table["n_items"].tolist() == [2]
    values = region_values(sentences, COSTS)
    endless = contrast("left.nocomma / (arrived.comma - 3)", values, sentences, GARDEN, Analysis())
    assert endless.excluded["reason"].tolist() == ["the formula has no finite number"]
    assert endless.items["value"].tolist() == [-4.5]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("left.nocoma - left.comma", "There is no cell 'left.nocoma'. Did you mean 'left.nocomma'? Known: "),
        ("left", "There is no cell 'left'. "),
        ("left.no-comma", "There is no cell 'left.no'. "),
        ("1 + 2", "The formula names no cell. Known: left.nocomma, left.comma, arrived.nocomma, arrived.comma."),
        ("(left.comma - left.nocomma", "The formula ends too early. "),
        ("", "The formula ends too early. "),
        ("left.comma left.nocomma", "The formula cannot be read from 'left.nocomma' on. "),
        ("left.comma ** 2", "The formula cannot be read from '* 2' on. "),
        ("__import__('os')", "The formula cannot be read from '('os')' on. "),
        ("left.comma) + 1", "The formula cannot be read from ') + 1' on. "),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(expression, said):
    assert error_of(lambda: values_of(expression)).startswith(said)


@pytest.mark.slow
def test_very_long_formulas_are_no_problem():
    assert values_of("+".join(["left.comma"] * 5000)) == [20000.0, 20000.0]
    assert values_of("-" * 5000 + "(" * 2000 + "left.comma" + ")" * 2000) == [4.0, 4.0]


@pytest.mark.slow
@given(
    st.recursive(
        st.sampled_from(["left.comma", "left.nocomma", "arrived.comma", "2", "0.5"]),
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda parts: f"({parts[0]} {parts[1]} {parts[2]})"),
            st.tuples(inner, st.sampled_from("+-*"), inner).map(" ".join),
            inner.map(lambda one: f"-({one})"),
        ),
        max_leaves=8,
    )
)
def test_formulas_mean_what_they_mean_in_python(expression):
    with_cell = python = f"{expression} + 0 * left.comma"
    for place, name in enumerate(("left.nocomma", "left.comma", "arrived.nocomma", "arrived.comma")):
        python = python.replace(name, f"cells[{place}]")
    expected = eval(python, {"cells": np.reshape(COSTS, (2, 4)).T})
    assert values_of(with_cell) == pytest.approx(list(expected))
