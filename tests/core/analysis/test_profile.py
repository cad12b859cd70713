"""Surprisal along the sentence, against means and intervals by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pairlens.analysis.by_cond import profile
from pairlens.analysis.experiment import Analysis, Columns
from tests.experiment_tables import sentence_table, word_table
from tests.refusals import error_of

NAN = math.nan
NUMBER = Columns(conditions=("number",))
ROWS = [
    {"sentence": "The cat sleeps.", "number": "sg", "roi": (2,)},
    {"sentence": "The dog barks.", "number": "sg", "roi": (2,)},
    {"sentence": "The dog sleeps.", "number": "sg", "roi": (1,)},
    {"sentence": "Cats sleep.", "number": "pl", "roi": (1,)},
]
VALUES = [[1.0, 2.0, 3.0], [2.0, 4.0, NAN], [3.0, 9.0, 4.0], [7.0, 8.0]]


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


def test_both_sides_of_a_comparison_and_several_models_have_their_own_lines():
    sentences = sentence_table({"sentence": "Cats sleep.", "comparison": side} for side in ("expected", "unexpected"))
    values = {"b": [[1.0, 2.0], [3.0, 4.0]], "a": [[5.0, 6.0], [7.0, NAN]]}
    words = pd.concat(word_table(sentences, costs, model) for model, costs in values.items())
    table = profile(words, sentences, Columns(), Analysis())
    assert table["model"].tolist() == ["b"] * 4 + ["a"] * 4
    lines = table.groupby(["model", "comparison"])["mean"].agg(list).to_dict()
    assert lines.pop(("a", "unexpected")) == pytest.approx([7.0, NAN], nan_ok=True)
    assert lines == {("a", "expected"): [5.0, 6.0], ("b", "expected"): [1.0, 2.0], ("b", "unexpected"): [3.0, 4.0]}


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
    table = along(rows, [[1.0, NAN, 4.0, 8.0]])
    assert table["n"].tolist() == [1, 0, 1] and np.isnan(table["mean"].iloc[1])
    sentences = sentence_table(rows)
    words = word_table(sentences, [[1.0, 2.0, 4.0, 8.0]]).assign(bar=pd.array([0, 1, None, 2], "Int64"))
    assert profile(words, sentences, Columns(), Analysis()).empty


def test_conditions_may_have_any_name_but_those_of_results():
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
