"""Everything that an experiment found, and everything that is left out of it."""

from dataclasses import replace
from functools import cache

import pandas as pd
import pytest

from pairlens.analysis.experiment import NLPSCHOLAR, Analysis, Columns
from pairlens.errors import InputError
from pairlens.files.tables import read_table
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.evaluate import read_predictions
from pairlens.studies.experiment.findings import find
from pairlens.studies.experiment.words import words_of_predictions

TEXTS = {"1": "The cat sleeps.", "2": "The cat sleep.", "3": "The dog barks.", "4": "The dog bark."}
PLACES = [("1", "expected"), ("1", "unexpected"), ("2", "expected"), ("2", "unexpected")]
SENTENCES = [(sentid, *place, text, "2") for (sentid, text), place in zip(TEXTS.items(), PLACES, strict=True)]


def designed(*rows):
    table = pd.DataFrame(rows or SENTENCES, columns=["sentid", "pairid", "comparison", "sentence", "ROI"])
    return read_design(table, Columns())


def words(texts, model="m", surp=2.0):
    """Of sentences by sentid, as another program gives them: each word costs one bit more than the one before."""
    placed = [(sentid, *word) for sentid, text in texts.items() for word in enumerate(text.split())]
    rows = [(" " * (at > 0) + word, sentid, at, model, model, False, 0.5, surp + at) for sentid, at, word in placed]
    columns = ["word", "sentid", "wordpos", "model", "tokenizer", "punctuation", "prob", "surp"]
    return words_of_predictions(pd.DataFrame(rows, columns=columns), Analysis())


def found(design=None, **texts):
    """Of this design, with other texts that were scored: `found(s9="Who knows?")`."""
    return find(design or designed(), words(TEXTS | {name[1:]: text for name, text in texts.items()}), Analysis())


def left_out(findings):
    return [tuple(row) for row in findings.excluded[["model", "sentid", "pairid", "reason"]].to_numpy()]


@pytest.mark.slow
def test_nothing_is_left_out_of_a_whole_experiment_with_pairs_or_without():
    findings = found()
    assert findings.excluded.empty
    assert list(findings.excluded) == ["model", "row", "sentid", "pairid", "reason"]
    assert len(findings.by_pair) == 2 and len(findings.by_cond) == 1
    assert findings.by_pair["tie"].all() and len(findings.by_word) == len(findings.words) == 12
    assert findings.regions["surp"].tolist() == [4.0] * 4 and findings.profile["n"].sum() == 12
    assert findings.regions is findings.regions
    table = pd.DataFrame({"sentence": list(TEXTS.values()), "condition": ["a", "a", "b", "b"]})
    findings = find(read_design(table, Columns(conditions=("condition",))), words(TEXTS), Analysis())
    assert findings.excluded.empty and findings.regions["n_words"].tolist() == [3] * 4
    assert set(findings.profile["condition"]) == {"a", "b"}
    with pytest.raises(InputError, match="no pairs"):
        _ = findings.by_pair


@pytest.mark.slow
def test_sentences_without_scores_or_regions_or_with_those_of_other_words_are_listed_with_their_pairs():
    some = {sentid: text for sentid, text in TEXTS.items() if sentid != "4"}
    findings = find(designed(), pd.concat([words(TEXTS), words(some, "n")]), Analysis())
    without = "no scores of this sentence"
    assert left_out(findings) == [("n", "4", "", without), ("n", "", "2", f"unexpected sentence: {without}")]
    assert findings.by_pair["model"].tolist() == ["m", "m", "n"]
    design = designed(*SENTENCES[:3], ("4", "3", "unexpected", "The dog bark.", ""), ("5", "4", "?", "No one.", "0"))
    findings = found(design, s5="No one.")
    assert [(pairid, reason) for _, _, pairid, reason in left_out(findings)] == [
        ("2", "pair 2 has no unexpected sentence"),
        ("3", "no ROI given"),
        ("3", "pair 3 has no expected sentence"),
        ("4", "the comparison '?' is neither expected nor unexpected"),
    ]
    assert findings.by_pair["pairid"].tolist() == ["1"] and "4" in set(findings.by_word["sentid"])
    findings = found(designed(*SENTENCES[:3], (*SENTENCES[3][:-1], "7")))
    sentence, pair = left_out(findings)
    assert sentence == ("m", "4", "", "ROI 7 but the sentence has 3 words (counted from 0)")
    assert pair[2] == "2" and "ROI 7" in pair[3] and findings.by_pair["pairid"].tolist() == ["1"]
    findings = found(s9="Who knows?")
    assert left_out(findings) == [("", "9", "", "the table has no such sentence")]
    assert "9" not in set(findings.words["sentid"])
    findings = found(s4="A cow moos.")
    assert left_out(findings)[0] == ("", "4", "2", "it is scored as 'A cow moos.', but the table has 'The dog bark.'")
    assert "4" not in set(findings.words["sentid"]) and findings.by_pair["pairid"].tolist() == ["1"]
    for text in ("the CAT sleeps", "The cat sleeps", "Thé cat sleeps..."):
        assert found(s1=text).excluded.empty


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (words({"7": "The cat"}), "There are no scores of these sentences"),
        (words({"1": "A cow", "2": "A cat"}), r"another table\. Sentence 1: it is scored as 'A cow', but the table"),
        (pd.concat([words(TEXTS), words(TEXTS, surp=3.0)]), "The scores of m are there twice"),
    ],
)
def test_scores_of_another_table_or_two_scorings_of_one_model_are_an_error(scores, said):
    with pytest.raises(InputError, match=said):
        find(designed(), scores, Analysis())


@pytest.mark.parametrize("punctuation", ["previous", "separate"])
def test_a_region_named_by_its_word_is_found_however_words_are_cut(punctuation):
    rows = [
        ("1", "1", "expected", "Now, the cat sleeps.", "sleeps"),
        ("2", "1", "unexpected", "Now, the cat sleep.", "3"),
    ]
    findings = find(designed(*rows), words({row[0]: row[3] for row in rows}), Analysis(punctuation=punctuation))
    by_sentence = findings.regions.set_index("sentid")
    assert by_sentence.loc["1", "text"].strip(".") == "sleeps" and findings.design.sentences["roi"].iloc[0] == (3,)


EXACT = 1.1e-6
"""Six decimals were noted, of values that were averaged in single precision."""


@pytest.fixture
def files(shared_data):
    return released(shared_data("nlpscholar"))


@cache
def released(folder):
    table = read_table(folder / "data" / "minimal_pairs.tsv")
    return read_design(table, guess_columns(table)), read_predictions(folder / "predictions" / "minimal_pairs.tsv")


def published(files, analysis=NLPSCHOLAR, **changes):
    analysis, design = replace(analysis, **changes), files[0]
    return find(design, words_of_predictions(files[1], analysis, design), analysis)


def test_the_words_of_a_sentence_by_pair_over_all_pairs_and_summed_over_a_region(files):
    words = published(files).words
    first = words[words["sentid"] == "1"]
    assert first["word"].tolist() == ["Hello,", " the", " student", " is", " the", " chameleon."]
    bits = [1.690237, 5.893486, 11.835896, 4.640012, 5.991602, 4.921130]
    assert first["surp"].tolist() == pytest.approx(bits, abs=EXACT)
    following = published(files, punctuation="next").words
    assert following["surp"].iloc[0] == pytest.approx((0 + 2.248712) / 2, abs=EXACT)  # the final full stop
    findings = published(files)
    pairs = findings.by_pair
    expected = [5.315807, 9.143272, 3.907691, 8.002189, 5.327272, 7.806687, 6.851019, 9.768452]
    unexpected = [8.379685, 8.987970, 7.351422, 8.077941, 8.359448, 11.713223, 10.274431, 12.143750]
    assert pairs["pairid"].tolist() == [str(number) for number in range(1, 9)]
    assert pairs["expected"].tolist() == pytest.approx(expected, abs=EXACT)
    assert pairs["unexpected"].tolist() == pytest.approx(unexpected, abs=EXACT)
    assert pairs["diff"].iloc[:2].tolist() == pytest.approx([-3.063878, 0.155303], abs=EXACT)
    assert pairs["acc"].tolist() == [1, 0, 1, 1, 1, 1, 1, 1] and findings.excluded.empty
    overall = findings.by_cond.iloc[0][["acc", "expected", "unexpected", "diff", "macrodiff"]].tolist()
    assert overall == pytest.approx([0.875, 7.015299, 9.410984, -2.395685, -2.395685], abs=EXACT)
    mean, total = (published(files, Analysis(), region_summary=how).by_pair for how in ("mean", "sum"))
    assert total["expected"].tolist() == pytest.approx((2 * mean["expected"]).tolist())
    assert mean["expected"].iloc[:4].tolist() == pytest.approx([5.315807, 9.143272, 3.907691, 8.002189], abs=EXACT)


@pytest.mark.parametrize(
    ("punctuation", "summary", "measure", "plu", "sing"),
    [
        ("previous", "mean", "surp", (1, 7.438358, 10.622713), (0.75, 6.592240, 8.199254)),
        ("previous", "sum", "surp", (1, 15.121843, 18.664251), (0.75, 6.592240, 8.199254)),
        ("next", "mean", "surp", (1, 9.095616, 12.609677), (0.75, 6.592240, 8.199254)),
        ("ignore", "mean", "surp", (1, 9.095616, 12.609677), (0.75, 6.592240, 8.199254)),
        ("next", "sum", "surp", (1, 13.691601, 17.407307), (0.75, 6.592240, 8.199254)),
        ("ignore", "sum", "surp", (1, 13.691601, 17.407307), (0.75, 6.592240, 8.199254)),
        ("separate", "mean", "surp", (1, 8.679004, 11.626807), (0.5, 8.520108, 9.932725)),
        ("separate", "sum", "surp", (1, 13.105372, 16.053175), (0.5, 11.416670, 12.829287)),
        ("previous", "mean", "prob", (0.5, 0.100409, 0.071731), (1, 0.043011, 0.012991)),
        ("separate", "mean", "prob", (1, 0.046182, 0.039192), (0.5, 0.101662, 0.077073)),
        ("previous", "mean", "perplexity", (1, 312.912, 2362.436), (0.75, 219.171, 318.584)),
    ],
)
def test_by_condition(files, punctuation, summary, measure, plu, sing):
    findings = published(files, punctuation=punctuation, word_summary=summary, measure=measure)
    rows = findings.by_cond.set_index("condition")
    exact = 6e-4 if measure == "perplexity" else EXACT
    for name, cell in (("plu", plu), ("sing", sing)):
        assert tuple(rows.loc[name, ["acc", "expected", "unexpected"]]) == pytest.approx(cell, abs=exact)
