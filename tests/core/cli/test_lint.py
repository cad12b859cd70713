"""`data lint`: sentences and tables on standard output, a table in a file, exit status 1 only where asked for."""

from __future__ import annotations

import pandas as pd
import pytest

from core.cli import main
from core.settings import ROOT

SAMPLES = ROOT / "data" / "samples"
MISTAKE = "good\tbad\nThey sing.\tThey sing.\nIt sleeps.\tIt sleep.\n"


@pytest.fixture
def pairs(tmp_path):
    file = tmp_path / "pairs.tsv"
    file.write_text(MISTAKE, encoding="utf-8")
    return file


@pytest.mark.slow
def test_findings_are_printed_and_written(pairs, tmp_path, capsys):
    output = tmp_path / "findings.csv"
    assert main(["data", "lint", str(pairs), "--output", str(output)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("error: 1 of 2 pairs is identical and can only tie (row 2).\n  Identical texts have")
    assert "pair_0\t2\tthe same text twice\tThey sing.\n" in out
    written = pd.read_csv(output)
    assert written.loc[0, ["check", "row"]].to_list() == ["identical_texts", 2]


@pytest.mark.slow
def test_strict_makes_errors_count(pairs):
    assert main(["data", "lint", str(pairs), "--strict"]) == 1
    assert main(["data", "lint", str(SAMPLES / "comps"), "--task", "comps", "--strict"]) == 0


@pytest.mark.slow
def test_tokens_of_a_model(pairs, unigram, capsys):
    pairs.write_text("good\tbad\nIt does.\tIt does not.\n", encoding="utf-8")
    assert main(["data", "lint", str(pairs)]) == 0
    said = capsys.readouterr()
    assert "tokens" not in said.out and "--model" in said.err
    assert main(["data", "lint", str(pairs), "--model", unigram]) == 0
    assert "different numbers of tokens" in capsys.readouterr().out


@pytest.mark.slow
def test_a_table_of_sentences_is_an_experiment(tmp_path, capsys):
    file = tmp_path / "experiment.tsv"
    file.write_text(
        "sentid\tpairid\tcomparison\tsentence\tROI\n1\t1\texpected\tIt sleeps.\t1\n2\t1\tunexpected\tIt sleep.\t4\n",
        encoding="utf-8",
    )
    assert main(["data", "lint", str(file)]) == 0
    assert "1 of 2 regions lies outside the text (item 2)." in capsys.readouterr().out


def test_the_task_that_was_guessed_is_named(pairs, capsys):
    assert main(["data", "lint", str(pairs)]) == 0
    assert "Read as --task pairs, as no task was named" in capsys.readouterr().err
    assert main(["data", "lint", str(pairs), "--task", "pairs"]) == 0
    said = capsys.readouterr()
    assert "Read as" not in said.err and "the column names are row 1" in said.err


def test_more_rows_that_cannot_be_read_than_are_listed_are_counted(tmp_path, capsys):
    file = tmp_path / "pairs.csv"
    file.write_text("good,bad\nIt is.,It are.\n" + ",x\n" * 60, encoding="utf-8")
    assert main(["data", "lint", str(file), "--strict"]) == 1
    out = capsys.readouterr().out
    assert "60 rows cannot be read; 1 pair can (rows 3, 4, 5, 6, 7, 8, 9, 10 and 52 more)." in out
    assert out.count("has no text") == 50 and "and 10 more" in out


@pytest.mark.slow
def test_nothing_found_is_said(capsys):
    assert main(["data", "lint", str(SAMPLES / "blimp"), "--task", "blimp"]) == 0
    assert capsys.readouterr().out.startswith("Nothing was found by ")


def test_texts_of_confidential_data_are_not_shown(tmp_path, capsys):
    lines = (SAMPLES / "ewok" / "social-relations.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    file = tmp_path / "social-relations.jsonl"
    file.write_text("".join(lines + lines), encoding="utf-8")
    assert main(["data", "lint", str(file), "--task", "ewok"]) == 0
    out = capsys.readouterr().out
    assert "repeat an earlier one" in out
    assert "item\trow\n" in out and out.count("\t") == out.count("\n") - 2


def test_findings_do_not_replace_the_data(tmp_path, capsys):
    data = tmp_path / "pairs.csv"
    data.write_text("good,bad\nthe cats sleep,the cats sleeps\n")
    assert main(["data", "lint", str(data), "-o", str(data)]) == 2
    assert "would be lost" in capsys.readouterr().err
    assert data.read_text().startswith("good,bad")


@pytest.mark.parametrize(("arguments", "words"), [
    (["nowhere.tsv"], "There is no file"),
    ([str(SAMPLES / "blimp"), "--task", "blmp"], "Did you mean 'blimp'"),
    ([str(SAMPLES / "blimp"), "--model", "english-smal"], "Did you mean 'english-small'"),
])  # fmt: skip
def test_mistakes_end_with_one_sentence(arguments, words, capsys):
    assert main(["data", "lint", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == "" and words in said.err


@pytest.mark.parametrize(
    ("name", "written", "words"),
    [
        ("a.tsv", b"The cat sleeps.\tThe cat sleep.\n", "so the columns are called good, bad"),
        (
            "a.tsv",
            "good\tbad\nЁлка стоит у дома.\tЁлка стоят у дома.\n".encode("koi8_r"),
            "read as KOI8-R (Cyrillic)",
        ),
    ],
)
def test_what_is_guessed_is_said(tmp_path, name, written, words, capsys):
    (tmp_path / name).write_bytes(written)
    for task in ([], ["--task", "pairs"]):
        assert main(["data", "lint", str(tmp_path / name), *task]) == 0
        assert words in capsys.readouterr().err


def test_a_file_without_ending_that_nothing_can_read(tmp_path, capsys):
    (tmp_path / "a").write_text("neither a table\nnor sentences of any task\n", encoding="utf-8")
    assert main(["data", "lint", str(tmp_path / "a")]) == 2
    assert "no task can read this" in capsys.readouterr().err


LESSON = """title = "t"
model = "english-small"
[[step]]
pair = ["The cats ARE here.", "The cats is here."]
expected = "A"
notice = "See."
"""


@pytest.mark.slow
def test_a_lesson_is_checked_by_its_own_model(tmp_path, capsys):
    path = tmp_path / "lesson.toml"
    path.write_text(LESSON)
    assert main(["data", "lint", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "Checked with the tokens of english-small." in err
    assert "1 of 2 texts has words in capitals (item step 1)" in out and "1 of 1 step has no question" in out
    path.write_text(LESSON.replace('model = "english-small"\n', ""))
    assert main(["data", "lint", str(path)]) == 0
    assert "Tokens are not counted: the lesson has no model." in capsys.readouterr().err


def test_a_table_is_a_lesson_where_asked(tmp_path, capsys):
    path = tmp_path / "lesson.csv"
    path.write_text("a,b,question\nIt is.,It are.,Which?\n")
    assert main(["data", "lint", str(path), "--task", "lesson"]) == 0
    assert "1 of 1 step has nothing to notice" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [("title = [", "lesson.toml: this is not TOML"), (LESSON + 'forms = ["a"]', "lesson.toml, step 1: a pair has no"),
     (LESSON.replace("english-small", "gpt99"), "There is no model 'gpt99'")],
)  # fmt: skip
def test_a_malformed_lesson_is_one_sentence(tmp_path, capsys, text, said):
    path = tmp_path / "lesson.toml"
    path.write_text(text)
    assert main(["data", "lint", str(path)]) != 0
    err = capsys.readouterr().err
    assert said in err and "Traceback" not in err
    assert main(["data", "lint", str(tmp_path / "no.toml")]) != 0
    assert "no.toml" in capsys.readouterr().err
