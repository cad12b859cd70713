"""The table of words: published columns in their order, everything the user's table said, nothing overwritten."""

import pandas as pd

from core.analysis.experiment import Columns
from core.studies.experiment.words import by_word
from tests.experiment_tables import sentence_table, word_table
from tests.refusals import error_of

BOTH = {"pairid": "1", "number": "pl", "lemma": "cat"}
ROWS = [
    {"sentence": "Cats sleep.", "comparison": "expected", "roi": (0, 1), **BOTH},
    {"sentence": "Cats sleeps.", "comparison": "unexpected", "roi": (1,), **BOTH},
]
VALUES = [[1.0, 2.0], [1.0, 3.0]]


def test_published_columns_come_first_then_the_tables_own_then_ours():
    sentences = sentence_table(ROWS)
    table = by_word(word_table(sentences, VALUES), sentences, Columns(conditions=("number",)))
    assert list(table) == [
        "wordpos_mod", "number", "word_mod", "sentid", "punctuation", "model", "prob", "surp", "wordpos",
        "sentence", "pairid", "comparison", "ROI", "lemma", "tokenizer", "n_tokens", "start", "end", "bar",
    ]  # fmt: skip
    assert table["ROI"].tolist() == ["0,1", "0,1", "1", "1"]
    assert table["word_mod"].tolist() == ["Cats", "sleep.", "Cats", "sleeps."]
    assert table["surp"].tolist() == [1.0, 2.0, 1.0, 3.0]
    assert table["wordpos_mod"].tolist() == table["wordpos"].tolist() == [0, 1, 0, 1]


def test_positions_of_the_file_with_the_scores_are_kept_beside_ours():
    sentences = sentence_table(ROWS)
    words = word_table(sentences, VALUES).assign(wordpos_given=[0, 2, 0, 2])
    table = by_word(words, sentences, Columns())
    assert table["wordpos"].tolist() == [0, 1, 0, 1] and table["wordpos_mod"].tolist() == [0, 2, 0, 2]


def test_pairs_and_regions_are_not_needed():
    sentences = sentence_table([{"sentence": "Cats sleep."}])
    table = by_word(word_table(sentences, [[1.0, 2.0]]), sentences, Columns())
    assert table["sentence"].tolist() == ["Cats sleep."] * 2


def test_several_models_and_sentences_that_the_design_lacks():
    sentences = sentence_table(ROWS)
    words = pd.concat([word_table(sentences, VALUES, model) for model in ("a", "b")])
    table = by_word(words, sentences[:1], Columns(conditions=("number",)))
    assert table["model"].tolist() == ["a"] * 4 + ["b"] * 4
    assert table["number"].isna().tolist() == [False, False, True, True] * 2


def test_a_column_of_the_table_never_replaces_one_of_the_words():
    sentences = sentence_table([ROWS[0] | {"surp": "high", "ROI": "user's own", "bars": ((0, 5), (5, 11))}])
    table = by_word(word_table(sentences, VALUES[:1]), sentences, Columns())
    assert table["surp"].tolist() == [1.0, 2.0] and table["given_surp"].tolist() == ["high"] * 2
    assert table["roi"].tolist() == ["0,1"] * 2 and table["ROI"].tolist() == ["user's own"] * 2
    assert "bars" not in table and table["bar"].tolist() == [0, 1]


def test_a_condition_with_the_name_of_a_column_of_the_words_is_refused():
    sentences = sentence_table([ROWS[0] | {"prob": "high"}])
    said = error_of(lambda: by_word(word_table(sentences, VALUES[:1]), sentences, Columns(conditions=("prob",))))
    assert said == "The results have a column 'prob' of their own: rename that condition."


def test_a_long_text_is_in_the_first_row_of_its_sentence_only():
    long = "Cats" + " " * 1_000 + "sleep."
    sentences = sentence_table([{**ROWS[0], "sentence": long}, ROWS[1]])
    table = by_word(word_table(sentences, VALUES), sentences, Columns())
    assert table["sentence"].tolist() == [long, "", "Cats sleeps.", "Cats sleeps."]
