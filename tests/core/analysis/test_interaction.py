"""Differences of differences by hand, against scipy, and what is said where there are none."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from core.analysis.experiment import Analysis, Columns
from core.analysis.interaction import Interaction, interaction
from core.analysis.regions import regions
from tests.experiment_tables import region_values, sentence_table, word_table
from tests.refusals import error_of

NAN = math.nan
GARDEN = Columns(item="item", conditions=("verb", "comma"))
PLACES = list(product(("left", "arrived"), ("without", "with")))
COSTS = [
    [12.0, 9.0, 10.0, 7.5],
    [14.0, 10.0, 11.0, 8.0],
    [11.0, 9.5, 10.0, 9.0],
]
"""Bits of each item's left-without, left-with, arrived-without and arrived-with."""


def design(n_items: int, **more: object) -> pd.DataFrame:
    rows = [
        {"sentence": "word", "item": str(item), "verb": verb, "comma": comma, **more}
        for item, (verb, comma) in product(range(n_items), PLACES)
    ]
    return sentence_table(rows)


def crossed(costs: list[list[float]], **analysis: object) -> Interaction:
    sentences = design(len(costs))
    values = region_values(sentences, [value for item in costs for value in item])
    return interaction(values, sentences, GARDEN, Analysis(**analysis), ("verb", "comma"))


def test_the_interaction_by_hand():
    found = crossed(COSTS)
    values = [0.5, 1.0, 0.5]
    assert found.items["value"].tolist() == values
    assert found.levels == (("left", "arrived"), ("without", "with"))
    row = found.table.iloc[0]
    reference = stats.ttest_1samp(values, 0)
    bounds = reference.confidence_interval(0.95)
    assert (row["n_items"], row["mean"], row["share_positive"]) == (3, pytest.approx(2 / 3), 1.0)
    assert (row["t"], row["df"], row["p"]) == pytest.approx((reference.statistic, 2, reference.pvalue))
    assert (row["low"], row["high"]) == pytest.approx((bounds.low, bounds.high))
    assert row["dz"] == pytest.approx(np.mean(values) / np.std(values, ddof=1))


def test_cells_and_simpler_effects_by_hand():
    found, costs = crossed(COSTS), np.array(COSTS)
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
def test_a_missing_comma_is_no_garden_path_but_a_real_one_is_found():
    """The comma saves about 3 bits after both verbs; or after the one that can take the next noun as its object."""
    draw = np.random.default_rng(3)
    only_comma = [[3.03 + e, 0.0, 3.04 + f, 0.0] for e, f in draw.normal(0, 0.3, size=(24, 2))]
    row = crossed(only_comma).table.iloc[0]
    assert abs(row["mean"]) < 0.2 and row["low"] < 0 < row["high"]
    assert crossed(only_comma).effects["low"].iloc[0] > 2.5
    garden_path = [[one + 2, two, three, four] for one, two, three, four in only_comma]
    assert crossed(garden_path).table["low"].iloc[0] > 1.5


def test_every_region_and_model_has_its_row():
    rows = design(2).assign(sentence="a b c")
    sentences = rows.assign(roi=pd.Series([(1,)] * len(rows)))
    draw = np.random.default_rng(0).exponential(5, size=(2, 8, 3))
    words = pd.concat(
        [word_table(sentences, values.tolist(), model) for values, model in zip(draw, "ab", strict=True)]
    )
    found = interaction(
        regions(words, sentences, Analysis(spill=1)), sentences, GARDEN, Analysis(), ("verb", "comma")
    )
    keys = [("a", "ROI"), ("a", "ROI+1"), ("b", "ROI"), ("b", "ROI+1")]
    assert list(found.table[["model", "region"]].itertuples(index=False, name=None)) == keys
    for (model, place), mean in zip(product((0, 1), (1, 2)), found.table["mean"], strict=True):
        items = draw[model, :, place].reshape(2, 4)
        assert mean == pytest.approx((items @ [1, -1, -1, 1]).mean())


def test_p_values_of_several_regions_are_corrected_for_their_number_model_by_model():
    sentences, draw = design(12), np.random.default_rng(8)
    for _ in range(3):
        parts = [region_values(sentences, list(draw.normal(size=48))).assign(region=name) for name in "abc"]
        values = pd.concat([pd.concat(parts).assign(model=model) for model in "mn"])
        found = interaction(values, sentences, GARDEN, Analysis(), ("verb", "comma"))
        for table in (found.table, found.effects[found.effects["effect"] == "left - arrived"]):
            for _, rows in table.groupby("model"):
                assert rows["p_holm"].tolist() == multipletests(rows["p"], method="holm")[1].tolist()


def test_items_that_cannot_count_are_listed():
    sentences = design(4).drop(index=[5]).reset_index(drop=True)
    values = region_values(sentences, [*COSTS[0], 1.0, 1.0, 1.0, NAN, 1.0, 1.0, 1.0, *COSTS[1]])
    found = interaction(values, sentences, GARDEN, Analysis(), ("verb", "comma"))
    assert found.items["item"].tolist() == ["0", "3"]
    assert found.excluded.to_numpy().tolist() == [
        ["m", "sentence", "1", "no sentence in left.with"],
        ["m", "sentence", "2", "none of its words is scored"],
    ]


def test_sentences_that_name_no_item_form_none():
    sentences = design(3)
    sentences["item"] = sentences["item"].replace({"1": ""})
    found = interaction(
        region_values(sentences, list(np.ravel(COSTS))), sentences, GARDEN, Analysis(), ("verb", "comma")
    )
    assert found.items["item"].tolist() == ["0", "2"]
    assert found.excluded.to_numpy().tolist() == [["m", "sentence", "", "these sentences have no item"]]


def test_a_model_that_scored_nothing_has_a_row_without_numbers():
    sentences = design(2)
    row = interaction(
        region_values(sentences, [NAN] * 8), sentences, GARDEN, Analysis(), ("verb", "comma")
    ).table.iloc[0]
    assert row["n_items"] == 0 and row.drop(["model", "region", "n_items"]).isna().all()


def test_the_measure_is_that_of_the_analysis():
    by_prob = crossed([[1.0, 2.0, 3.0, 4.0]], measure="prob")
    assert by_prob.items["value"].tolist() == [1 / 2 - 1 / 4 - 1 / 8 + 1 / 16]


def test_several_sentences_of_an_item_in_one_cell_are_averaged():
    sentences = sentence_table(
        [
            {"sentence": "word", "item": "1", "verb": verb, "comma": comma, "noun": noun}
            for (verb, comma), noun in product(PLACES, ("cat", "dog"))
        ]
    )
    values = region_values(sentences, [1.0, 3.0, 5.0, 5.0, 2.0, 2.0, 0.0, 1.0])
    found = interaction(values, sentences, GARDEN, Analysis(), ("verb", "comma"))
    assert found.items.iloc[0, 3:].tolist() == [-4.5, 2.0, 5.0, 2.0, 0.5]


def test_the_comparison_can_be_a_factor_and_pairs_that_return_are_items():
    rows = [
        {"sentence": "word", "pairid": str(pair), "comparison": side, "number": number}
        for pair, number, side in product((1, 2), ("sg", "pl"), ("expected", "unexpected"))
    ]
    sentences = sentence_table(rows)
    values = region_values(sentences, [1.0, 4.0, 2.0, 3.0, 2.0, 6.0, 1.0, 1.5])
    found = interaction(values, sentences, Columns(conditions=("number",)), Analysis(), ("number", "comparison"))
    assert found.items["value"].tolist() == [-2.0, -3.5]
    assert found.table["mean"].iloc[0] == -2.75


def test_values_with_dots_and_quotation_marks_are_cells_of_their_own():
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
    said = error_of(lambda: interaction(values, sentences, GARDEN, Analysis(), ("verb", "comma")))
    assert said == (
        "No item has a sentence in each of left.without, left.with, arrived.without, arrived.with. Items are "
        "identified by the column 'pairid', whose values must repeat over the conditions: choose another column."
    )
    nameless = sentences.drop(columns="pairid")
    said = error_of(lambda: interaction(values, nameless, GARDEN, Analysis(), ("verb", "comma")))
    assert said == "Name the column that identifies the items."


@pytest.mark.slow
@given(st.lists(st.lists(st.floats(0, 40), min_size=4, max_size=4), min_size=1, max_size=8))
def test_what_all_conditions_share_cancels_out(costs):
    """Items may cost what they like, and each factor may: only their interaction is left."""
    plain = crossed(costs)
    shifted = [[one + 7 + 3, two + 7, three + 3, four] for one, two, three, four in costs]
    np.testing.assert_allclose(crossed(shifted).items["value"], plain.items["value"], atol=1e-9)
