"""Differences of differences by hand and against scipy, formulas over cells, and what is said where none are."""

import math
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from pairlens.analysis.experiment import Analysis, Columns
from pairlens.analysis.interaction import contrast, interaction
from pairlens.analysis.regions import regions
from tests.experiment_tables import region_values, sentence_table, word_table
from tests.refusals import error_of

NAN = math.nan
GARDEN = Columns(item="item", conditions=("verb", "comma"))
PLACES = list(product(("left", "arrived"), ("without", "with")))
COSTS = [[12.0, 9.0, 10.0, 7.5], [14.0, 10.0, 11.0, 8.0], [11.0, 9.5, 10.0, 9.0]]
"""Bits of each item's left-without, left-with, arrived-without and arrived-with."""


def design(n_items, **more):
    rows = product(range(n_items), PLACES)
    return sentence_table(
        {"sentence": "word", "item": str(item), "verb": verb, "comma": comma, **more} for item, (verb, comma) in rows
    )


def between(values, sentences):
    return interaction(values, sentences, GARDEN, Analysis(), ("verb", "comma"))


def crossed(costs, **analysis):
    sentences = design(len(costs))
    values = region_values(sentences, [value for item in costs for value in item])
    return interaction(values, sentences, GARDEN, Analysis(**analysis), ("verb", "comma"))


def test_the_interaction_cells_and_simpler_effects_by_hand():
    found = crossed(COSTS)
    values = [0.5, 1.0, 0.5]
    assert found.items["value"].tolist() == values
    assert found.levels == (("left", "arrived"), ("without", "with"))
    row = found.table.iloc[0]
    reference = stats.ttest_1samp(values, 0)
    bounds = reference.confidence_interval(0.95)
    assert (row["n_items"], row["mean"], row["p"]) == pytest.approx((3, 2 / 3, reference.pvalue))
    assert (row["low"], row["high"]) == pytest.approx((bounds.low, bounds.high))
    by_prob = crossed([[1.0, 2.0, 3.0, 4.0]], measure="prob")
    assert by_prob.items["value"].tolist() == [1 / 2 - 1 / 4 - 1 / 8 + 1 / 16], "the measure of the analysis"
    costs = np.array(COSTS)
    assert list(found.items)[3:] == ["value", "left.without", "left.with", "arrived.without", "arrived.with"]
    assert found.items.iloc[:, 4:].to_numpy().tolist() == COSTS
    assert found.cells[["verb", "comma"]].to_numpy().tolist() == [list(place) for place in PLACES]
    np.testing.assert_allclose(found.cells["mean"], costs.mean(axis=0))
    expected = {
        "without - with, verb left": costs[:, 0] - costs[:, 1],
        "without - with, verb arrived": costs[:, 2] - costs[:, 3],
        "left - arrived": (costs[:, 0] + costs[:, 1] - costs[:, 2] - costs[:, 3]) / 2,
        "without - with": (costs[:, 0] + costs[:, 2] - costs[:, 1] - costs[:, 3]) / 2,
    }
    assert found.effects["effect"].tolist() == list(expected)
    assert found.effects["kind"].tolist() == ["simple", "simple", "main", "main"]
    for (_, row), values in zip(found.effects.iterrows(), expected.values(), strict=True):
        bounds = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert (row["mean"], row["low"], row["high"]) == pytest.approx((values.mean(), bounds.low, bounds.high))


@pytest.mark.slow
def test_every_region_and_model_has_its_row_and_p_values_corrected_for_the_regions():
    rows = design(2).assign(sentence="a b c")
    sentences = rows.assign(roi=pd.Series([(1,)] * len(rows)))
    draw = np.random.default_rng(0).exponential(5, size=(2, 8, 3))
    words = pd.concat(word_table(sentences, values.tolist(), model) for values, model in zip(draw, "ab", strict=True))
    found = between(regions(words, sentences, Analysis(spill=1)), sentences)
    keys = [("a", "ROI"), ("a", "ROI+1"), ("b", "ROI"), ("b", "ROI+1")]
    assert list(found.table[["model", "region"]].itertuples(index=False, name=None)) == keys
    for (model, place), mean in zip(product((0, 1), (1, 2)), found.table["mean"], strict=True):
        items = draw[model, :, place].reshape(2, 4)
        assert mean == pytest.approx((items @ [1, -1, -1, 1]).mean())
    sentences, draw = design(12), np.random.default_rng(8)
    parts = [region_values(sentences, list(draw.normal(size=48))).assign(region=name) for name in "abc"]
    found = between(pd.concat([pd.concat(parts).assign(model=model) for model in "mn"]), sentences)
    for table in (found.table, found.effects[found.effects["effect"] == "left - arrived"]):
        for _, rows in table.groupby("model"):
            assert rows["p_holm"].tolist() == multipletests(rows["p"], method="holm")[1].tolist()


@pytest.mark.slow
def test_items_that_cannot_count_are_listed_and_without_any_there_is_a_row_without_numbers():
    sentences = design(4).drop(index=[5]).reset_index(drop=True)
    values = region_values(sentences, [*COSTS[0], 1.0, 1.0, 1.0, NAN, 1.0, 1.0, 1.0, *COSTS[1]])
    found = between(values, sentences)
    assert found.items["item"].tolist() == ["0", "3"]
    assert found.excluded.to_numpy().tolist() == [
        ["m", "sentence", "1", "no sentence in left.with"],
        ["m", "sentence", "2", "none of its words is scored"],
    ]
    sentences = design(3)
    sentences["item"] = sentences["item"].replace({"1": ""})
    found = between(region_values(sentences, list(np.ravel(COSTS))), sentences)
    assert found.items["item"].tolist() == ["0", "2"]
    assert found.excluded.to_numpy().tolist() == [["m", "sentence", "", "these sentences have no item"]]
    sentences = design(2)
    row = between(region_values(sentences, [NAN] * 8), sentences).table.iloc[0]
    assert row["n_items"] == 0 and row.drop(["model", "region", "n_items"]).isna().all()


@pytest.mark.slow
def test_several_sentences_in_one_cell_are_averaged_its_name_may_hold_anything_and_the_comparison_can_be_a_factor():
    sentences = pd.concat([design(1, noun=noun) for noun in ("cat", "dog")], ignore_index=True)
    sentences["sentid"] = [str(n) for n in range(8)]
    found = between(region_values(sentences, [1.0, 5.0, 2.0, 0.0, 3.0, 5.0, 2.0, 1.0]), sentences)
    assert found.items.iloc[0, 3:].tolist() == [-4.5, 2.0, 5.0, 2.0, 0.5]
    rows = [
        {"sentence": "word", "pairid": str(pair), "comparison": side, "number": number}
        for pair, number, side in product((1, 2), ("sg", "pl"), ("expected", "unexpected"))
    ]
    sentences = sentence_table(rows)
    values = region_values(sentences, [1.0, 4.0, 2.0, 3.0, 2.0, 6.0, 1.0, 1.5])
    found = interaction(values, sentences, Columns(conditions=("number",)), Analysis(), ("number", "comparison"))
    assert found.items["value"].tolist() == [-2.0, -3.5]
    assert found.table["mean"].iloc[0] == -2.75
    rows = [{"sentence": "word", "item": "1", "a": a, "b": b} for a, b in product(("x.y", "x"), ("z", "y.z"))]
    sentences = sentence_table(rows)
    columns = Columns(item="item", conditions=("a", "b"))
    found = interaction(region_values(sentences, [1.0, 2.0, 4.0, 8.0]), sentences, columns, Analysis(), ("a", "b"))
    assert list(found.items)[4:] == ['"x.y".z', '"x.y"."y.z"', "x.z", 'x."y.z"']
    assert found.items["value"].tolist() == [3.0]


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        (("verb", "verb"), "An interaction needs different conditions: 'verb' was chosen twice."),
        (("verb", "coma"), "There is no condition 'coma'. Did you mean 'comma'? Known: comma, noun, one, verb."),
        (("verb", "noun"), "An interaction needs conditions with two values: 'noun' has 3 (a, b, c)."),
        (("one", "comma"), "An interaction needs conditions with two values: 'one' has 1 (x)."),
    ],
)
def test_what_is_no_two_by_two_design_is_refused(factors, said):
    sentences = design(3, one="x").assign(noun=["a", "b", "c"] * 4)
    columns = Columns(item="item", conditions=("verb", "comma", "noun", "one"))
    values = region_values(sentences, [1.0] * 12)
    assert error_of(lambda: interaction(values, sentences, columns, Analysis(), factors)) == said


def test_items_must_repeat_over_the_conditions():
    sentences = design(2).drop(columns="item").assign(pairid=[str(number) for number in range(8)])
    values = region_values(sentences, [1.0] * 8)
    said = error_of(lambda: between(values, sentences))
    assert said == (
        "No item has a sentence in each of left.without, left.with, arrived.without, arrived.with. Items are "
        "identified by the column 'pairid', whose values must repeat over the conditions: choose another column."
    )
    nameless = sentences.drop(columns="pairid")
    assert error_of(lambda: between(values, nameless)) == "Name the column that identifies the items."


# Formulas over cells

FORMULA = "(left.nocomma - left.comma) - (arrived.nocomma - arrived.comma)"
BITS = [8.0, 4.0, 6.0, 3.0, 9.0, 4.0, 2.0, 1.0]
"""Bits of left-nocomma, left-comma, arrived-nocomma, arrived-comma, of two items."""


def garden(**values):
    levels = {"verb": ("left", "arrived"), "comma": ("nocomma", "comma")} | values
    places = product("12", *levels.values())
    return sentence_table(
        {"sentence": "word", **dict(zip(("item", *levels), place, strict=True))} for place in places
    )


@cache
def usual():
    """The usual design, and the values of its regions."""
    return garden(), region_values(garden(), BITS)


def values_of(expression, sentences=None):
    table, values = usual() if sentences is None else (sentences, region_values(sentences, BITS))
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
        ("left.nocomma − left.comma", [4.0, 5.0]),
        ("2 * left.comma + left.nocomma / 4", [10.0, 10.25]),
        ("left.nocomma-left.comma*2", [0.0, 1.0]),
        ("--left.comma + +1.5", [5.5, 5.5]),
        ('"left".comma + left."comma"', [8.0, 8.0]),
    ],
)  # fmt: skip
def test_arithmetic(expression, expected):
    assert values_of(expression) == pytest.approx(expected)


@pytest.mark.slow
def test_values_that_are_more_than_words_are_quoted_letters_of_all_languages_are_not_and_names_of_columns_may_be():
    sentences = garden(comma=("no comma, sir", "a_b-c"), verb=("1", "it's"))
    assert values_of('"1".\'no comma, sir\' - "1"."a_b-c"', sentences=sentences) == [4.0, 5.0]
    assert values_of('"it\'s"."a_b-c"', sentences=sentences) == [3.0, 1.0]
    sentences = garden(verb=('"left"', "'s"))
    assert values_of('\'"left"\'.comma - "\'s".comma', sentences=sentences) == [1.0, 3.0]
    assert values_of("été.comma - naïve.comma", sentences=garden(verb=("été", "naïve"))) == [1.0, 3.0]
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
    sentences = garden()
    values = region_values(sentences, [*BITS[:4], 9.0, math.nan, 2.0, 1.0])
    found = contrast("left.nocomma - left.comma", values, sentences, GARDEN, Analysis())
    assert found.excluded.to_numpy().tolist() == [["m", "sentence", "2", "none of its words is scored"]]
    others = contrast("arrived.nocomma - arrived.comma", values, sentences, GARDEN, Analysis())
    assert others.excluded.empty and others.table["n_items"].tolist() == [2]
    values = region_values(sentences, BITS)
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
        ("left.comma left.nocomma", "The formula cannot be read from 'left.nocomma' on. "),
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
    expected = eval(python, {"cells": np.reshape(BITS, (2, 4)).T})
    assert values_of(with_cell) == pytest.approx(list(expected))
