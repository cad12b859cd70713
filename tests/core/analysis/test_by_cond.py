"""Numbers by condition, and surprisal along the sentence, against scipy, statsmodels and hand computation."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from pairlens.analysis._over_items import against_zero, t_interval
from pairlens.analysis.by_cond import ALL, by_cond, cells, intervals, overall, profile
from pairlens.analysis.experiment import Analysis, Columns
from pairlens.evaluation.receipts.bibtex import STATISTICS
from pairlens.statistics.few import CLUSTERED, CLUSTERED_T, WILSON
from pairlens.statistics.intervals import wilson
from tests.experiment_tables import sentence_table, word_table
from tests.refusals import error_of

NUMBER = Columns(conditions=("number",))
EXPECTED = [3.0, 5.5, 4.0, 7.0, 2.0, 6.0, 1.5]
UNEXPECTED = [4.0, 5.0, 6.5, 7.0, 5.0, 9.0, 2.25]


def pairs(cells, expected=EXPECTED, unexpected=UNEXPECTED):
    """`by_pair`'s table, ties counted one half; every pair is its own item."""
    first, second = np.array(expected), np.array(unexpected)
    names, shares = [str(place) for place in range(len(cells))], np.where(first == second, 0.5, first < second)
    table = pd.DataFrame({"number": cells, "expected": first, "unexpected": second, "diff": first - second})
    return table.assign(model="m", pairid=names, acc=shares, tie=first == second, undecided=False, item=names)


def test_means_counts_and_methods_of_intervals_by_hand():
    table = by_cond(pairs(["sg"] * 4 + ["pl"] * 3), NUMBER, Analysis())
    assert list(table)[:7] == ["model", "number", "acc", "diff", "expected", "unexpected", "macrodiff"]
    assert table["number"].tolist() == [ALL, "sg", "pl"] and table["overall"].tolist() == [True, False, False]
    assert table["n"].tolist() == [7, 4, 3] and table["ties"].tolist() == [1, 1, 0]
    assert table["acc"].tolist() == [5.5 / 7, 2.5 / 4, 1.0]
    assert table["expected"].tolist()[1:] == [19.5 / 4, 9.5 / 3]
    assert table["diff"].tolist() == pytest.approx([-9.75 / 7, -3 / 4, -6.75 / 3])
    assert table["macrodiff"].tolist() == pytest.approx(table["diff"].tolist())
    assert set(table["measure"]) == {"surp"}
    table = by_cond(pairs(["sg", "pl"] * 3 + ["sg"]).assign(item=list("aabbccd")), NUMBER, Analysis())
    assert intervals(cells(table)) == {"shares": WILSON, "differences": "Student's t"}
    assert intervals(overall(table)) == {"shares": CLUSTERED, "differences": CLUSTERED_T}
    assert intervals(table)["shares with one pair per item"] == WILSON
    single = cells(table).iloc[0]
    assert (single["acc_low"], single["acc_high"]) == pytest.approx(wilson(4 * single["acc"], 4))
    assert set(intervals(table).values()) <= set(STATISTICS)


def test_tests_and_intervals_are_those_of_scipy_and_pairs_of_one_item_are_one_observation():
    row = by_cond(pairs(["sg"] * 7), Columns(), Analysis()).iloc[0]
    paired = stats.ttest_rel(EXPECTED, UNEXPECTED)
    interval = paired.confidence_interval(0.95)
    assert (row["t"], row["p_t"], row["df"]) == pytest.approx((paired.statistic, paired.pvalue, 6))
    assert (row["diff_low"], row["diff_high"]) == pytest.approx((interval.low, interval.high))
    with warnings.catch_warnings(action="ignore"):
        assert row["p_wilcoxon"] == pytest.approx(stats.wilcoxon(EXPECTED, UNEXPECTED).pvalue)
    assert row["t"] == pytest.approx(row["dz"] * np.sqrt(7))
    assert (row["acc_low"], row["acc_high"]) == pytest.approx(wilson(5.5, 7))
    table = pairs(["sg"] * 4, [1.0, 2.0, 3.0, 4.0], [2.0, 5.0, 4.0, 5.0]).assign(item=["a", "a", "b", "b"])
    row = by_cond(table, Columns(), Analysis()).iloc[0]
    reference = stats.ttest_1samp([-2.0, -1.0], 0)
    assert (row["n"], row["n_items"], row["df"]) == (4, 2, 1)
    assert (row["t"], row["p_t"]) == pytest.approx((reference.statistic, reference.pvalue))
    assert (row["acc_low"], row["acc_high"]) == pytest.approx(wilson(2, 2))


@pytest.mark.slow
def test_holm_corrects_over_the_conditions_of_a_model_and_leaves_the_whole_alone():
    draw = np.random.default_rng(1)
    names = np.repeat(["a", "b", "c"], 8).tolist()
    parts = [pairs(names, draw.normal(size=24), draw.normal(0.6, 1, size=24)).assign(model=model) for model in "xy"]
    table = by_cond(pd.concat(parts), NUMBER, Analysis())
    for _, of_model in table.groupby("model"):
        conditions = of_model[~of_model["overall"]]
        expected = multipletests(conditions["p_t"], method="holm")[1]
        np.testing.assert_allclose(conditions["p_holm"], expected)
        whole = of_model[of_model["overall"]].iloc[0]
        assert whole["p_holm"] == whole["p_t"]
    assert (table["p_holm"] > table["p_t"]).sum() >= 2


def test_conditions_cross_their_values_may_hold_any_characters_and_one_may_be_called_all():
    table = by_cond(pairs(["sg"] * 7), Columns(), Analysis())
    assert len(table) == 1 and table["overall"].tolist() == [True]
    pd.testing.assert_frame_equal(cells(table), table)
    pd.testing.assert_frame_equal(overall(table), table)
    table = by_cond(pairs([ALL] * 4 + ["pl"] * 3), NUMBER, Analysis())
    assert overall(table)["n"].tolist() == [7]
    assert cells(table)["number"].tolist() == [ALL, "pl"] and cells(table)["n"].tolist() == [4, 3]
    table = pairs(["a_b", "a_b", "x,y", "x,y"], EXPECTED[:4], UNEXPECTED[:4]).assign(verb=["v", "w", "v", "w"])
    found = cells(by_cond(table, Columns(conditions=("number", "verb")), Analysis()))
    assert found[["number", "verb"]].to_numpy().tolist() == [["a_b", "v"], ["a_b", "w"], ["x,y", "v"], ["x,y", "w"]]
    assert found["diff"].tolist() == [-1.0, 0.5, -2.5, 0.0]


def test_a_single_pair_and_equal_differences_say_nothing_no_pair_has_no_row_and_many_means_have_intervals_at_once():
    row = by_cond(pairs(["sg"], [1.0], [2.0]), Columns(), Analysis()).iloc[0]
    assert row["diff"] == -1.0
    assert row[["diff_low", "diff_high", "t", "df", "p_t", "p_wilcoxon", "dz", "p_holm"]].isna().all()
    nothing = by_cond(pairs([], [], []), NUMBER, Analysis())
    assert nothing.empty and overall(nothing).empty and cells(nothing).empty
    renamed = pairs(["sg"] * 7).rename(columns={"number": "n"})
    said = error_of(lambda: by_cond(renamed, Columns(conditions=("n",)), Analysis()))
    assert said == "The results have a column 'n' of their own: rename that condition."
    found = against_zero(np.array([0.1 + 0.2, 0.3, 0.3]))
    assert found["mean"] == pytest.approx(0.3) and found["share_positive"] == 1.0
    assert all(math.isnan(found[name]) for name in ("low", "high", "t", "p", "dz"))
    assert found["p_wilcoxon"] == pytest.approx(0.25)
    assert math.isnan(against_zero(np.zeros(4))["p_wilcoxon"])
    low, high = t_interval(np.array([1.0, 2.0, 3.0]), np.array([2.0, np.nan, 0.0]), np.array([5.0, 1.0, 4.0]))
    reach = stats.t.ppf(0.975, 4) * 2 / math.sqrt(5)
    np.testing.assert_allclose([low, high], [[1 - reach, np.nan, np.nan], [1 + reach, np.nan, np.nan]])


@pytest.mark.slow
@given(st.lists(st.sampled_from([-0.9, -0.6, -0.3, 0.3, 0.6]), min_size=2, max_size=8))
def test_the_signed_rank_test_of_a_few_numbers_with_ties_is_scipys(values):
    assert against_zero(np.array(values))["p_wilcoxon"] == pytest.approx(stats.wilcoxon(values).pvalue, abs=1e-12)


@pytest.mark.slow
@given(st.lists(st.floats(-50, 50), min_size=3, max_size=30))
def test_statistics_over_items_are_scipys(values):
    numbers = np.array(values)
    found = against_zero(numbers)
    assert found["n_items"] == len(values) and found["share_positive"] == np.mean(numbers > 0)
    if numbers.std(ddof=1) < 1e-6:
        return
    reference = stats.ttest_1samp(numbers, 0)
    bounds = reference.confidence_interval(0.95)
    assert (found["t"], found["p"]) == pytest.approx((reference.statistic, reference.pvalue))
    assert (found["low"], found["high"]) == pytest.approx((bounds.low, bounds.high))


# Along the sentence

ROWS = [
    {"sentence": "The cat sleeps.", "number": "sg", "roi": (2,)},
    {"sentence": "The dog barks.", "number": "sg", "roi": (2,)},
    {"sentence": "The dog sleeps.", "number": "sg", "roi": (1,)},
    {"sentence": "Cats sleep.", "number": "pl", "roi": (1,)},
]
VALUES = [[1.0, 2.0, 3.0], [2.0, 4.0, math.nan], [3.0, 9.0, 4.0], [7.0, 8.0]]


def along(rows, values, **analysis):
    sentences = sentence_table(rows)
    columns = NUMBER if "number" in sentences else Columns()
    return profile(word_table(sentences, values), sentences, columns, Analysis(**analysis))


def test_means_intervals_labels_and_regions_by_hand_or_none_where_there_are_none():
    table = along(ROWS, VALUES)
    assert list(table) == ["model", "position", "label", "number", "mean", "low", "high", "n", "region"]
    assert table["number"].tolist() == ["sg"] * 3 + ["pl"] * 2
    assert table["position"].tolist() == [0, 1, 2, 0, 1]
    assert table["mean"].tolist() == [2.0, 5.0, 3.5, 7.0, 8.0]
    assert table["n"].tolist() == [3, 3, 2, 1, 1]
    assert table["label"].tolist() == ["The", "dog", "sleeps.", "Cats", "sleep."]
    assert table["region"].tolist() == [False, False, True, False, True]
    for place, values in enumerate(([1.0, 2.0, 3.0], [2.0, 4.0, 9.0], [3.0, 4.0])):
        bounds = stats.ttest_1samp(values, 0).confidence_interval(0.95)
        assert table.loc[place, ["low", "high"]].tolist() == pytest.approx([bounds.low, bounds.high])
    assert table.loc[3:, ["low", "high"]].isna().all(axis=None)
    table = along([{"sentence": "Cats sleep."}, {"sentence": "Dogs sleep."}], [[1.0, 2.0], [3.0, 4.0]])
    assert table["label"].tolist() == ["", "sleep."] and not table["region"].any()


def test_lines_are_of_both_sides_of_a_comparison_several_models_and_conditions_of_any_name_but_those_of_results():
    sentences = sentence_table({"sentence": "Cats sleep.", "comparison": side} for side in ("expected", "unexpected"))
    values = {"b": [[1.0, 2.0], [3.0, 4.0]], "a": [[5.0, 6.0], [7.0, math.nan]]}
    words = pd.concat(word_table(sentences, costs, model) for model, costs in values.items())
    table = profile(words, sentences, Columns(), Analysis())
    assert table["model"].tolist() == ["b"] * 4 + ["a"] * 4
    lines = table.groupby(["model", "comparison"])["mean"].agg(list).to_dict()
    assert lines.pop(("a", "unexpected")) == pytest.approx([7.0, math.nan], nan_ok=True)
    assert lines == {("a", "expected"): [5.0, 6.0], ("b", "expected"): [1.0, 2.0], ("b", "unexpected"): [3.0, 4.0]}
    names = ("cell", "group", "code", "inside", "deviation", "surp", "text", "sentid_")
    rows = [{"sentence": "Cats sleep."} | dict.fromkeys(names, value) for value in ("y", "x")]
    sentences = sentence_table(rows)
    words = word_table(sentences, [[1.0, 2.0], [3.0, 4.0]])
    table = profile(words, sentences, Columns(conditions=names), Analysis())
    assert table[[*names]].to_numpy().tolist() == [["y"] * 8] * 2 + [["x"] * 8] * 2
    assert table["mean"].tolist() == [1.0, 2.0, 3.0, 4.0]
    sentences = sentence_table([{"sentence": "Cats sleep.", "mean": "x"}])
    words = word_table(sentences, [[1.0, 2.0]])
    assert "'mean'" in error_of(lambda: profile(words, sentences, Columns(conditions=("mean",)), Analysis()))


@pytest.mark.slow
def test_regions_between_bars_are_positions_and_need_all_their_words_and_their_places():
    rows = [
        {"sentence": "The old cat sleeps.", "roi": (1,), "bars": ((0, 4), (4, 12), (12, 19))},
        {"sentence": "The cat sleeps.", "roi": (1,), "bars": ((0, 4), (4, 8), (8, 15))},
    ]
    values = [[1.0, 2.0, 4.0, 8.0], [3.0, 5.0, 7.0]]
    mean, total = (along(rows, values, region_summary=name) for name in ("mean", "sum"))
    assert mean["mean"].tolist() == [2.0, 4.0, 7.5] and total["mean"].tolist() == [2.0, 5.5, 7.5]
    assert mean["label"].tolist() == ["The", "", "sleeps."]
    assert mean["region"].tolist() == [False, True, False]
    rows = rows[:1]
    table = along(rows, [[1.0, math.nan, 4.0, 8.0]])
    assert table["n"].tolist() == [1, 0, 1] and np.isnan(table["mean"].iloc[1])
    sentences = sentence_table(rows)
    words = word_table(sentences, [[1.0, 2.0, 4.0, 8.0]]).assign(bar=pd.array([0, 1, None, 2], "Int64"))
    assert profile(words, sentences, Columns(), Analysis()).empty
