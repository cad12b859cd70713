"""Published example predictions of GPT-2, analysed as NLPScholar does: its own numbers, to six decimals."""

from dataclasses import replace

import pytest

from core.analysis.experiment import NLPSCHOLAR, Analysis
from core.files.tables import read_table
from core.studies.experiment.columns import guess_columns
from core.studies.experiment.design import read_design
from core.studies.experiment.evaluate import read_predictions
from core.studies.experiment.findings import find
from core.studies.experiment.words import words_of_predictions

EXACT = 1.1e-6
"""Six decimals were noted, of values that were averaged in single precision."""


@pytest.fixture
def files(shared_data):
    folder = shared_data("nlpscholar")
    table = read_table(folder / "data" / "minimal_pairs.tsv")
    return read_design(table, guess_columns(table)), read_predictions(folder / "predictions" / "minimal_pairs.tsv")


def found(files, analysis=NLPSCHOLAR, design=None, **changes):
    analysis = replace(analysis, **changes)
    design = design or files[0]
    return find(design, words_of_predictions(files[1], analysis, design), analysis)


def test_the_words_of_a_sentence(files):
    words = found(files).words
    first = words[words["sentid"] == "1"]
    assert first["word"].tolist() == ["Hello,", " the", " student", " is", " the", " chameleon."]
    bits = [1.690237, 5.893486, 11.835896, 4.640012, 5.991602, 4.921130]
    assert first["surp"].tolist() == pytest.approx(bits, abs=EXACT)
    following = found(files, punctuation="next").words
    assert following["surp"].iloc[0] == pytest.approx((0 + 2.248712) / 2, abs=EXACT)  # the final full stop


def test_by_pair_and_over_all_pairs(files):
    findings = found(files)
    pairs = findings.by_pair
    expected = [5.315807, 9.143272, 3.907691, 8.002189, 5.327272, 7.806687, 6.851019, 9.768452]
    unexpected = [8.379685, 8.987970, 7.351422, 8.077941, 8.359448, 11.713223, 10.274431, 12.143750]
    assert pairs["pairid"].tolist() == [str(number) for number in range(1, 9)]
    assert pairs["expected"].tolist() == pytest.approx(expected, abs=EXACT)
    assert pairs["unexpected"].tolist() == pytest.approx(unexpected, abs=EXACT)
    assert pairs["diff"].iloc[:2].tolist() == pytest.approx([-3.063878, 0.155303], abs=EXACT)
    assert pairs["acc"].tolist() == [1, 0, 1, 1, 1, 1, 1, 1]
    assert findings.excluded.empty
    overall = findings.by_cond.iloc[0][["acc", "expected", "unexpected", "diff", "macrodiff"]].tolist()
    assert overall == pytest.approx([0.875, 7.015299, 9.410984, -2.395685, -2.395685], abs=EXACT)


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
        ("previous", "sum", "prob", (0.5, 0.100409, 0.071731), (1, 0.043011, 0.012991)),
        ("separate", "mean", "prob", (1, 0.046182, 0.039192), (0.5, 0.101662, 0.077073)),
        ("previous", "mean", "perplexity", (1, 312.912, 2362.436), (0.75, 219.171, 318.584)),
    ],
)
def test_by_condition(files, punctuation, summary, measure, plu, sing):
    rows = found(files, punctuation=punctuation, word_summary=summary, measure=measure).by_cond.set_index("condition")
    exact = 6e-4 if measure == "perplexity" else EXACT
    for name, cell in (("plu", plu), ("sing", sing)):
        assert tuple(rows.loc[name, ["acc", "expected", "unexpected"]]) == pytest.approx(cell, abs=exact)


def test_perplexity_of_whole_sentences(files):
    columns, sentences = replace(files[0].columns, conditions=()), files[0].sentences.drop(columns="roi")
    plain = replace(files[0], sentences=sentences, columns=columns)
    row = found(files, design=plain, measure="perplexity").by_cond.iloc[0]
    assert row[["acc", "expected", "unexpected"]].tolist() == pytest.approx([0.75, 95.9171, 234.6550], abs=6e-5)


def test_the_sum_over_a_regions_words_is_its_mean_times_their_number(files):
    """Also where words are whole: no mark is lost, and both words of each region are scored."""
    mean, total = (found(files, Analysis(), region_summary=how).by_pair for how in ("mean", "sum"))
    assert total["expected"].tolist() == pytest.approx((2 * mean["expected"]).tolist())
    assert mean["expected"].iloc[:4].tolist() == pytest.approx([5.315807, 9.143272, 3.907691, 8.002189], abs=EXACT)
