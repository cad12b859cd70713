"""The verb `next-word`: files in, one table out, and the model's choice where lines are twins."""

import pandas as pd
import pytest

from tests.refusals import refused


@pytest.fixture
def next_word(tiny, save, cli):
    """`next_word(text, *options)`: status, output and errors of the verb about a file of these lines."""

    def run(text, *options):
        return cli("next-word", "--model", tiny("gpt2"), "--input", save("texts.txt", text), *options)

    return run


@pytest.fixture
def verb(next_word, tmp_path):
    """`verb(text, *options)`: the table that the verb writes, and what it prints."""

    def run(text, *options):
        status, out, _ = next_word(text, "--output", tmp_path / "out.tsv", *options)
        assert status == 0
        return pd.read_csv(tmp_path / "out.tsv", sep="\t", keep_default_na=False, quotechar='"'), out

    return run


PAIR = "The keys are here.\nThe keys is here.\n"


def test_one_table_with_the_published_columns_after_the_number_also_of_prefixes_and_forms(verb):
    table, _ = verb("The keys\n\n  \nThe cat sleeps\n")
    published = ["token", "ref_next", "pred_next", "ref_prob", "pred_prob", "entropy_bits"]
    assert list(table.columns) == ["sentence", *published]
    assert sorted(set(table["sentence"])) == [1, 2]
    assert (table["token"] == "<|endoftext|>").sum() == 2
    table, _ = verb("The keys\nThe cat\n", "--prefix", "--by", "word")
    assert (table["ref_next"] == "").sum() == 2
    forms, out = verb("The keys\nThe cat\n", "--forms", "is,are")
    assert list(forms.columns) == [
        "sentence", "prefix", "form", "prob", "form_only", "n_pieces", "pieces", "preferred",
    ]  # fmt: skip
    assert forms["form"].tolist() == ["is", "are"] * 2
    assert forms["preferred"].sum() == out.count("Prefers ") == 2


def test_twins_have_a_decision_each_and_the_same_first_rows(verb, next_word):
    """Without an output the table is printed alone."""
    status, out, errors = next_word(PAIR)
    assert status == 0 and "Prefers" in errors
    assert out.startswith("sentence\ttoken\tref_next") and "Prefers" not in out
    table, out = verb(PAIR)
    assert out.startswith("The keys … Prefers ") and "form only" in out
    first, second = (table[table["sentence"] == number].head(3) for number in (1, 2))
    for column in ("token", "ref_next", "pred_next"):
        assert first[column].tolist() == second[column].tolist()
    for column in ("ref_prob", "pred_prob", "entropy_bits"):
        assert first[column].tolist() == pytest.approx(second[column].tolist(), abs=1e-4)
    assert "The first form in " in verb(PAIR * 2, "--by", "word")[1]
    assert verb("The keys are here.\nSomething else.\n")[1] == ""


def test_many_texts_are_read_in_order(verb):
    table, _ = verb("".join(f"The key {number}\n" for number in range(70)))
    assert table["sentence"].drop_duplicates().tolist() == list(range(1, 71))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--by", "letter"], "There is no kind of row 'letter'"),
        (["--forms", "is"], "two or more forms"),
        (["--model", "unigram-english"], "is a unigram model"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_sentence(next_word, options, sentence):
    refused(next_word("The keys\n", *options), sentence)
