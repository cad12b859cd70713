"""Regions by hand: which words they have, what they are worth, and why they have no value."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.analysis.experiment import Analysis
from pairlens.analysis.regions import region_names, regions
from tests.experiment_tables import sentence_table, word_table

CAT = "The cat that sleeps is old."
NAN = math.nan


def found(rows, surprisals, **analysis):
    sentences = sentence_table(rows)
    return regions(word_table(sentences, surprisals), sentences, Analysis(**analysis))


def test_a_region_has_the_words_at_its_positions_and_their_mean_or_sum():
    rows, values = [{"sentence": CAT, "roi": (1, 3)}], [[1.0, 2.0, 3.0, 5.0, 7.0, 11.0]]
    mean, total = found(rows, values).iloc[0], found(rows, values, region_summary="sum").iloc[0]
    assert (mean["region"], mean["text"], mean["n_words"], mean["n_tokens"]) == ("ROI", "cat sleeps", 2, 2)
    assert (mean["surp"], total["surp"]) == (3.5, 7.0)
    assert mean["prob"] == 2**-3.5 and mean["perplexity"] == 2**3.5
    assert total["prob"] == 2**-7 and total["perplexity"] == 2**7
    assert pd.isna(mean["excluded"])
    row = found(rows, [[1.0, 2.0, 3.0, 4.0, 7.0, 11.0]], region_summary="sum", word_probability="mean").iloc[0]
    assert (row["surp"], row["perplexity"], row["prob"]) == (6.0, 8.0, (1 / 4 + 1 / 16) / 2)


def test_spill_over_is_what_follows_the_last_word_or_region_between_bars_in_which_a_word_must_begin():
    table = found([{"sentence": CAT, "roi": (3, 1)}], [[1.0, 2.0, 3.0, 5.0, 7.0, 11.0]], spill=3)
    assert list(table["region"]) == ["ROI", "ROI+1", "ROI+2", "ROI+3"]
    assert list(table["text"]) == ["cat sleeps", "is", "old.", ""]
    assert list(table["surp"][:3]) == [3.5, 7.0, 11.0]
    assert list(table["excluded"].dropna()) == ["the sentence ends before ROI+3"]
    assert table["surp"].isna().tolist() == [False, False, False, True]
    rows = [{"sentence": "The old cat sleeps well.", "roi": (1,), "bars": ((0, 4), (4, 12), (12, 19), (19, 24))}]
    table = found(rows, [[1.0, 2.0, 4.0, 8.0, 16.0]], spill=3, region_summary="sum")
    assert list(table["text"]) == ["old cat", "sleeps", "well.", ""]
    assert list(table["surp"][:3]) == [6.0, 8.0, 16.0]
    assert table["excluded"].iloc[3] == "the sentence ends before ROI+3"
    rows = [{"sentence": "The cat sleeps.", "roi": (0, 1), "bars": ((0, 3), (3, 4), (4, 15))}]
    assert found([*rows, rows[0] | {"roi": (3,)}], [[1.0, 2.0, 3.0]] * 2)["excluded"].tolist() == [
        "no word begins in region 1 (counted from 0)", "ROI 3 but the sentence has 3 regions (counted from 0)",
    ]  # fmt: skip


@pytest.mark.parametrize("places", [[0, 0, None], [None] * 3])
def test_words_that_do_not_say_where_they_stand_cannot_be_put_between_bars(places):
    sentences = sentence_table([{"sentence": "The cat sleeps.", "roi": (0,), "bars": ((0, 8), (8, 15))}])
    words = word_table(sentences, [[1.0, 2.0, 3.0]]).assign(bar=pd.array(places, "Int64"))
    row = regions(words, sentences, Analysis()).iloc[0]
    assert row["excluded"] == "the scores do not say between which bars each of its words stands"
    assert np.isnan(row["surp"])


def test_every_reason_for_leaving_a_region_out_also_of_a_model_without_scores_of_a_sentence():
    rows = [{"sentence": "Cats sleep.", "roi": roi} for roi in ((12,), (1, 2), None, (), (0,), (1,), (1,))]
    rows[5]["sentence"] = "Sleep."
    table = found(rows, [[1.0, 2.0]] * 4 + [[NAN, 2.0], [1.0], [NAN, 2.0]])
    places = [f"ROI {roi} but the sentence has {n} (counted from 0)" for roi, n in ((12, "2 words"), (2, "2 words"))]
    last = ["a word of the region is not scored", "ROI 1 but the sentence has 1 word (counted from 0)"]
    assert table["excluded"].tolist()[:-1] == [*places, *["it has no ROI"] * 2, *last]
    assert table[["surp", "prob", "perplexity"]].isna().all(axis=1).tolist() == [True] * 6 + [False]
    sentences = sentence_table([{"sentence": "Cats sleep.", "roi": (1,)}, {"sentence": "Dogs sleep.", "roi": (1,)}])
    whole = word_table(sentences, [[1.0, 2.0], [3.0, 4.0]], "whole")
    half = word_table(sentences[:1], [[5.0, 6.0]], "half")
    table = regions(pd.concat([whole, half]), sentences, Analysis()).set_index(["model", "sentid"])
    assert table["surp"].to_list() == pytest.approx([2.0, 4.0, 6.0, NAN], nan_ok=True)
    assert [*table.index] == [("whole", "1"), ("whole", "2"), ("half", "1"), ("half", "2")]
    assert table.loc[("half", "2"), "excluded"] == "no scores of this sentence"


def test_without_any_roi_the_whole_sentence_is_meant_and_does_without_its_first_word_only():
    rows = [{"sentence": "Cats sleep well."}, {"sentence": "Cats sleep well."}, {"sentence": "Sleep."}]
    table = found(rows, [[NAN, 2.0, 4.0], [1.0, NAN, 4.0], [NAN]])
    assert list(table["region"]) == ["sentence"] * 3
    assert (table["surp"].iloc[0], table["n_words"].iloc[0]) == (3.0, 2)
    assert table["excluded"].tolist()[1:] == ["a word of the region is not scored", "none of its words is scored"]
    none, empty = sentence_table([{"sentence": "A", "roi": None}]), sentence_table([{"sentence": "A", "roi": ()}])
    assert region_names(none, Analysis(spill=2)) == ["sentence"]
    assert region_names(empty, Analysis(spill=2)) == ["ROI", "ROI+1", "ROI+2"]
    table = found([{"sentence": "Cats sleep.", "roi": ()}], [[1.0, 2.0]], spill=1)
    assert table["excluded"].tolist() == ["it has no ROI"] * 2


def test_words_that_touch_are_joined_without_a_space_and_those_of_other_sentences_do_not_count():
    sentences = sentence_table([{"sentence": "ab c", "roi": (0, 1, 2)}])
    words = word_table(sentences.assign(sentence="a b c"), [[1.0, 2.0, 3.0]])
    words = words.assign(start=pd.array([0, 1, 3], "Int64"), end=pd.array([1, 2, 4], "Int64"))
    assert regions(words, sentences, Analysis())["text"].iloc[0] == "ab c"
    sentences = sentence_table([{"sentence": "Cats sleep.", "roi": (1,)}, {"sentence": "Dogs sleep.", "roi": (1,)}])
    table = regions(word_table(sentences, [[1.0, 2.0], [3.0, 4.0]]), sentences[:1], Analysis())
    assert table["sentid"].tolist() == ["1"] and table["surp"].tolist() == [2.0]


@pytest.mark.slow
@given(
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=8),
    spill=st.integers(0, 2),
    seed=st.integers(0, 1000),
    total=st.booleans(),
)
def test_regions_are_what_a_loop_over_sentences_finds(lengths, spill, seed, total):
    draw = np.random.default_rng(seed)
    rois = [tuple(int(place) for place in draw.integers(0, 6, size=draw.integers(1, 4))) for _ in lengths]
    rows = [{"sentence": " ".join(["w"] * n), "roi": roi} for n, roi in zip(lengths, rois, strict=True)]
    values = [[float(value) for value in draw.exponential(4, size=n)] for n in lengths]
    summary = "sum" if total else "mean"
    table = found(rows, values, spill=spill, region_summary=summary)
    expected = []
    for roi, of_sentence in zip(rois, values, strict=True):
        for places in [sorted(set(roi)), *([max(roi) + after] for after in range(1, spill + 1))]:
            inside = [of_sentence[place] for place in places if place < len(of_sentence)]
            whole = len(inside) == len(places)
            expected.append((sum(inside) if total else np.mean(inside)) if whole else NAN)
    np.testing.assert_allclose(table["surp"], expected)
