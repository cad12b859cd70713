"""Decisions by hand: who wins under each measure, ties, decisions within precision, and pairs that are none."""

import math

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairlens import measures
from pairlens.analysis.by_pair import broken_pairs, by_pair
from pairlens.analysis.experiment import NLPSCHOLAR, Analysis, Columns
from pairlens.analysis.regions import regions
from tests.experiment_tables import region_values, sentence_table, word_table
from tests.refusals import error_of

NAN = math.nan
PLAIN, NUMBER = Columns(), Columns(conditions=("number",))


def pair(name, **more):
    return [{"sentence": "word", "pairid": name, "comparison": side, **more} for side in ("expected", "unexpected")]


def decided(rows, values, columns=PLAIN, **analysis):
    sentences = sentence_table(rows)
    return by_pair(region_values(sentences, values), sentences, columns, Analysis(**analysis))


@pytest.mark.slow
def test_the_less_surprising_sentence_wins_whatever_the_measure_and_published_columns_come_first():
    rows, values = [*pair("1"), *pair("2")], [3.0, 5.0, 4.0, 2.0]
    surp, prob, perplexity = (decided(rows, values, measure=name)[0] for name in ("surp", "prob", "perplexity"))
    assert surp["diff"].tolist() == [-2.0, 2.0]
    assert prob["diff"].tolist() == [2**-3 - 2**-5, 2**-4 - 2**-2]
    assert perplexity["diff"].tolist() == [8.0 - 32.0, 16.0 - 4.0]
    for table in (surp, prob, perplexity):
        assert table["acc"].tolist() == [1.0, 0.0]
        assert table["sentid_expected"].tolist() == ["1", "3"] and table["sentid_unexpected"].tolist() == ["2", "4"]
    table, _ = decided(pair("1", number="sg"), [1.0, 2.0], NUMBER)
    assert list(table)[:7] == ["model", "number", "pairid", "expected", "unexpected", "diff", "acc"]
    assert list(table)[7:] == [
        "tie", "undecided", "item", "sentid_expected", "sentid_unexpected", "n_words_expected", "n_words_unexpected",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("ties", "share", "measure"), [("half", 0.5, "surp"), ("correct", 1.0, "prob"), ("wrong", 0.0, "perplexity")]
)
def test_ties_count_as_the_analysis_says(ties, share, measure):
    table, _ = decided(pair("1"), [3.0, 3.0], ties=ties, measure=measure)
    assert table[["acc", "tie", "undecided"]].iloc[0].tolist() == [share, True, False]


@pytest.mark.slow
def test_a_difference_within_precision_is_marked_and_tiny_probabilities_are_told_apart():
    near, far = 0.9 * measures.bits(measures.PRECISION), 1.1 * measures.bits(measures.PRECISION)
    table, _ = decided([*pair("1"), *pair("2")], [3.0, 3.0 + near, 3.0, 3.0 + far])
    assert table["acc"].tolist() == [1.0, 1.0]
    assert table["undecided"].tolist() == [True, False] and not table["tie"].any()
    for measure in ("prob", "perplexity"):
        table, _ = decided([*pair("1"), *pair("2")], [2000.0, 2001.0, 2001.0, 2000.0], measure=measure)
        assert table["acc"].tolist() == [1.0, 0.0] and not table["tie"].any()
    table, _ = decided([*pair("1"), *pair("2")], [math.inf, math.inf, 3.0, math.inf])
    assert table["tie"].tolist() == [True, False] and table["acc"].tolist() == [0.5, 1.0]


def test_nlpscholars_mean_probabilities_may_decide_otherwise_and_its_preset_counts_ties_as_wrong():
    """Probabilities 1/2 and 1/64 against 1/4 and 1/4: the larger mean, but also the larger surprisal."""
    sentences = sentence_table([row | {"sentence": "a b", "roi": (0, 1)} for row in pair("1")])
    words = word_table(sentences, [[1.0, 6.0], [2.0, 2.0]])
    mean = Analysis(measure="prob", word_probability="mean")
    by_mean, _ = by_pair(regions(words, sentences, mean), sentences, PLAIN, mean)
    by_product, _ = by_pair(regions(words, sentences, Analysis()), sentences, PLAIN, Analysis(measure="prob"))
    assert (by_mean["acc"].iloc[0], by_product["acc"].iloc[0]) == (1.0, 0.0)
    assert by_mean["expected"].iloc[0] == (1 / 2 + 1 / 64) / 2
    sentences = sentence_table(pair("1"))
    table, _ = by_pair(region_values(sentences, [2.0, 2.0]), sentences, Columns(), NLPSCHOLAR)
    assert table["acc"].tolist() == [0.0] and table["tie"].tolist() == [True]


def test_every_reason_for_leaving_a_pair_out():
    rows = [*pair("whole"), pair("no unexpected")[0], pair("no expected")[1], *pair("two"), pair("two")[1]]
    rows += [*pair("unscored"), pair("")[0], {"sentence": "word", "pairid": "neither", "comparison": "other"}]
    table, excluded = decided(rows, [1.0, 2.0, 1.0, 1.0, 1.0, 2.0, 3.0, NAN, 2.0, 1.0, 1.0])
    assert [*broken_pairs(sentence_table(rows), []).unique()] == [
        "",
        "pair no unexpected has no unexpected sentence",
        "pair no expected has no expected sentence",
        "pair two has 1 expected and 2 unexpected sentences",
        "no pairid: it is in no pair",
        "pair neither has no expected sentence",
    ]
    assert table["pairid"].tolist() == ["whole"]
    assert excluded[["pairid", "reason"]].to_numpy().tolist() == [
        ["unscored", "expected sentence: none of its words is scored"]
    ]


def test_each_model_has_its_own_pairs_and_another_region_can_be_asked_for():
    sentences = sentence_table([*pair("1"), *pair("2")])
    costs = {"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 1.0, 4.0, NAN]}
    both = pd.concat([region_values(sentences, values, model) for model, values in costs.items()])
    table, excluded = by_pair(both, sentences, Columns(), Analysis())
    rows = [["a", "1", 1.0], ["a", "2", 1.0], ["b", "1", 0.0]]
    assert table[["model", "pairid", "acc"]].to_numpy().tolist() == rows
    assert excluded[["model", "pairid"]].to_numpy().tolist() == [["b", "2"]]
    sentences = sentence_table([row | {"sentence": "a b", "roi": (0,)} for row in pair("1")])
    found = regions(word_table(sentences, [[1.0, 9.0], [2.0, 8.0]]), sentences, Analysis(spill=1))
    tables = [by_pair(found, sentences, Columns(), Analysis(), region=name)[0] for name in ("", "ROI", "ROI+1")]
    assert [table["diff"].iloc[0] for table in tables] == [-1.0, -1.0, 1.0]
    assert tables[0]["n_words_expected"].tolist() == [1]


@pytest.mark.slow
def test_conditions_may_hold_any_characters_pairs_that_differ_in_one_are_left_out_and_a_pairid_may_return():
    odd = 'a_b, "c"\t|é'
    table, _ = decided([*pair("1", number=odd), *pair("2", number="x_")], [1.0, 2.0, 1.0, 2.0], NUMBER)
    assert table["number"].tolist() == [odd, "x_"]
    first, second = pair("1", number="sg")
    rows = [first, second | {"number": "pl"}, *pair("2", number="pl")]
    table, excluded = decided(rows, [1.0, 2.0, 1.0, 2.0], NUMBER)
    assert table["pairid"].tolist() == ["2"] and excluded.empty
    rows, values = [*pair("1", number="sg"), *pair("1", number="pl")], [1.0, 2.0, 5.0, 3.0]
    table, excluded = decided(rows, values, NUMBER)
    expected = [["sg", "1", 1.0, "1"], ["pl", "1", 0.0, "1"]]
    assert table[["number", "pairid", "acc", "item"]].to_numpy().tolist() == expected
    assert excluded.empty and all(one.empty for one in decided(rows, values))
    rows = [*pair("2", number="pl"), *pair("1", number="sg"), *pair("1", number="pl"), *pair("3", number="pl")]
    table, excluded = decided(rows, [1.0, 2.0, 1.0, 3.0, 1.0, 4.0, 1.0, 5.0], NUMBER)
    assert table[["pairid", "number"]].to_numpy().tolist() == [["2", "pl"], ["1", "sg"], ["1", "pl"], ["3", "pl"]]
    assert table["diff"].tolist() == [-1.0, -2.0, -3.0, -4.0] and excluded.empty


@pytest.mark.parametrize("names", [("1", "2"), ("1", "1")])
def test_a_condition_that_always_differs_is_part_of_the_comparison(names):
    pairs = (pair(name, verb=f"{name}{place}") for place, name in enumerate(names))
    rows = [row | {"number": row["comparison"]} for both in pairs for row in both]
    said = error_of(lambda: decided(rows, [1.0] * 4, Columns(conditions=("verb", "number"))))
    assert said == (
        "The condition 'number' differs between the two sentences of every pair: it is part of the comparison. "
        "Leave it out of the conditions."
    )


def test_a_table_without_pairs_is_refused_and_the_item_is_the_column_that_says_so():
    assert error_of(lambda: decided([{"sentence": "word"}], [1.0])).startswith("The table has no pairs: ")
    clash = Columns(conditions=("diff",))
    assert "'diff'" in error_of(lambda: decided(pair("1", diff="x"), [1.0, 2.0], clash))
    for first, second, items in (("i", "i", ["i", "i"]), ("", "1", ["pair 1", "1"])):
        rows = [*pair("1", item=first), *pair("2", item=second)]
        assert decided(rows, [1.0, 2.0] * 2, Columns(item="item"))[0]["item"].tolist() == items


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 4)  # of three times as many pairs: a table takes as long of few
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=36), st.randoms())
def test_the_order_of_the_rows_does_not_matter(values, random):
    pairs = [zip(pair(str(name)), sides, strict=True) for name, sides in enumerate(values)]
    rows = [row | {"value": str(side)} for both in pairs for row, side in both]
    random.shuffle(rows)
    table, excluded = decided(rows, [float(row["value"]) for row in rows])
    assert excluded.empty
    expected = {str(name): 0.5 if a == b else float(a < b) for name, (a, b) in enumerate(values)}
    assert dict(zip(table["pairid"], table["acc"], strict=True)) == expected
