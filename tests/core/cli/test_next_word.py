"""The verb `next-word`: files in, one table out, and the model's choice where lines are twins."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

from core.cli import main


@pytest.fixture
def verb(tiny, tmp_path):
    """`verb(text, "--by", "word")`: the table that the verb writes about a file of these lines."""

    def run(text: str, *options: str, name: str = "texts.txt", model: Path | None = None) -> pd.DataFrame:
        source, output = tmp_path / name, tmp_path / "out.tsv"
        source.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        asked = ["next-word", "--model", str(model or tiny("gpt2")), "--input", str(source), "--output", str(output)]
        assert main([*asked, *options]) == 0
        return pd.read_csv(output, sep="\t", keep_default_na=False, quotechar='"')

    return run


PAIR = "The keys are here.\nThe keys is here.\n"


def test_one_table_with_the_published_columns_after_the_number(verb):
    table = verb("The keys\n\n  \nThe cat sleeps\n")
    assert list(table.columns) == [
        "sentence", "token", "ref_next", "pred_next", "ref_prob", "pred_prob", "entropy_bits",
    ]  # fmt: skip
    assert sorted(set(table["sentence"])) == [1, 2]
    assert (table["token"] == "<|endoftext|>").sum() == 2


def test_twins_have_a_decision_each(verb, capsys):
    verb(PAIR)
    printed = capsys.readouterr().out
    assert printed.startswith("The keys … Prefers ") and "form only" in printed
    verb(PAIR * 2, "--by", "word")
    assert "The first form in " in capsys.readouterr().out
    verb("The keys are here.\nSomething else.\n")
    assert capsys.readouterr().out == ""


def test_the_first_rows_of_twins_are_the_same(verb):
    table = verb(PAIR)
    first, second = (table[table["sentence"] == number].head(3) for number in (1, 2))
    for column in ("token", "ref_next", "pred_next"):
        assert first[column].tolist() == second[column].tolist()
    for column in ("ref_prob", "pred_prob", "entropy_bits"):
        assert first[column].tolist() == pytest.approx(second[column].tolist(), abs=1e-4)


def test_prefixes_and_forms(verb, capsys):
    table = verb("The keys\nThe cat\n", "--prefix", "--by", "word")
    assert (table["ref_next"] == "").sum() == 2
    forms = verb("The keys\nThe cat\n", "--forms", "is,are")
    assert list(forms.columns) == [
        "sentence", "prefix", "form", "prob", "form_only", "n_pieces", "pieces", "preferred",
    ]  # fmt: skip
    assert forms["form"].tolist() == ["is", "are"] * 2
    assert forms["preferred"].sum() == 2
    assert capsys.readouterr().out.count("Prefers ") == 2


@pytest.mark.parametrize("name", ["texts.csv", "texts.txt.gz"])
def test_tables_and_packed_files_are_read(verb, name):
    text = "id,sentence\n1,The keys\n2,The cat\n" if name.endswith("csv") else "The keys\nThe cat\n"
    assert set(verb(text, name=name)["sentence"]) == {1, 2}


def test_many_texts_keep_their_numbers(verb):
    table = verb("".join(f"The key {number}\n" for number in range(70)))
    assert table["sentence"].drop_duplicates().tolist() == list(range(1, 71))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--by", "letter"], "There is no kind of row 'letter'"),
        (["--forms", "is"], "two or more forms"),
        (["--model", "unigram-english"], "is a unigram model"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_sentence(tiny, tmp_path, capsys, options, sentence):
    source = tmp_path / "texts.txt"
    source.write_text("The keys\n")
    assert main(["next-word", "--model", str(tiny("gpt2")), "--input", str(source), *options]) == 2
    assert sentence in capsys.readouterr().err


def test_without_an_output_the_table_is_printed_alone(tiny, tmp_path, capsys):
    source = tmp_path / "texts.txt"
    source.write_text(PAIR)
    assert main(["next-word", "--model", str(tiny("gpt2")), "--input", str(source)]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("sentence\ttoken\tref_next") and "Prefers" not in told.out
    assert "Prefers" in told.err
