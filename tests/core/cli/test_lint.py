"""`data lint`: sentences and tables on standard output, a table in a file, exit status 1 only where asked for."""

import pandas as pd
import pytest

from pairlens.places import FOLDER as ROOT

SAMPLES = ROOT / "data" / "samples"


@pytest.fixture
def pairs(save):
    return save("pairs.tsv", "good\tbad\nThey sing.\tThey sing.\nIt sleeps.\tIt sleep.\n")


@pytest.fixture
def lint(cli):
    return lambda *arguments: cli("data", "lint", *arguments)


@pytest.mark.slow
def test_findings_are_printed_and_written_and_errors_count_where_asked(lint, pairs, tmp_path):
    output = tmp_path / "findings.csv"
    status, out, _ = lint(pairs, "--output", output)
    assert status == 0
    assert out.startswith("error: 1 of 2 pairs is identical and can only tie (row 2).\n  Identical texts have")
    assert "pair_0\t2\tthe same text twice\tThey sing.\n" in out
    assert pd.read_csv(output).loc[0, ["check", "row"]].to_list() == ["identical_texts", 2]
    assert lint(pairs, "--strict")[0] == 1
    status, out, _ = lint(SAMPLES / "blimp" / "reflexive_number.jsonl", "--task", "blimp", "--strict")
    assert status == 0 and out.startswith("Nothing was found by ")


@pytest.mark.slow
def test_experiments_confidential_texts_and_many_rows_that_cannot_be_read(lint, save):
    rows = ("1\t1\texpected\tIt sleeps.\t1", "2\t1\tunexpected\tIt sleep.\t4")
    file = save("experiment.tsv", "\n".join(("sentid\tpairid\tcomparison\tsentence\tROI", *rows)) + "\n")
    status, out, _ = lint(file)
    assert status == 0 and "1 of 2 regions lies outside the text (item 2)." in out
    status, out, _ = lint(save("pairs.csv", "good,bad\nIt is.,It are.\n" + ",x\n" * 60), "--strict")
    assert status == 1
    assert "60 rows cannot be read; 1 pair can (rows 3, 4, 5, 6, 7, 8, 9, 10 and 52 more)." in out
    assert out.count("has no text") == 50 and "and 10 more" in out
    lines = (SAMPLES / "ewok" / "social-relations.jsonl").read_text(encoding="utf-8")
    status, out, _ = lint(save("social-relations.jsonl", lines + lines), "--task", "ewok")
    assert status == 0 and "repeat an earlier one" in out
    assert "item\trow\n" in out and out.count("\t") == out.count("\n") - 2


@pytest.mark.slow
def test_what_was_guessed_is_said_and_tokens_are_those_of_a_model(lint, pairs, save, unigram):
    status, _, errors = lint(pairs)
    assert status == 0 and "Read as --task pairs, as no task was named" in errors
    status, _, errors = lint(pairs, "--task", "pairs")
    assert status == 0 and "Read as" not in errors and "the column names are row 1" in errors
    pairs = save("pairs.tsv", "good\tbad\nIt does.\tIt does not.\n")
    status, out, errors = lint(pairs)
    assert status == 0 and "tokens" not in out and "--model" in errors
    status, out, _ = lint(pairs, "--model", unigram)
    assert status == 0 and "different numbers of tokens" in out


LESSON = """title = "t"
model = "english-small"
[[step]]
pair = ["The cats ARE here.", "The cats is here."]
expected = "A"
notice = "See."
"""


@pytest.mark.parametrize(
    ("name", "text", "options", "words"),
    [
        ("a.csv", "good,bad\nthe cats sleep,the cats sleeps\n", ("-o", "FILE"), "would be lost"),
        ("a.csv", "good,bad\nIt is.,It are.\n", ("--task", "pair"), "Did you mean 'pairs'"),
        ("a.csv", "good,bad\nIt is.,It are.\n", ("--model", "english-smal"), "Did you mean 'english-small'"),
        ("a", "neither a table\nnor sentences of any task\n", (), "no task can read this"),
        ("lesson.toml", "title = [", (), "lesson.toml: this is not TOML"),
        ("lesson.toml", LESSON + 'forms = ["a"]', (), "lesson.toml, step 1: a pair has no"),
        ("lesson.toml", LESSON.replace("english-small", "gpt99"), (), "There is no model 'gpt99'"),
        ("no.toml", None, (), "no.toml"),
        ("nowhere.tsv", None, (), "There is no file"),
    ],
)
def test_mistakes_end_with_one_sentence(lint, save, tmp_path, name, text, options, words):
    file = tmp_path / name if text is None else save(name, text)
    status, out, errors = lint(file, *(file if option == "FILE" else option for option in options))
    assert (status, out) == (2, "") and words in errors and "Traceback" not in errors
    assert text is None or file.read_text() == text


@pytest.mark.parametrize("task", [[], ["--task", "pairs"]])
def test_what_is_guessed_is_said(lint, save, task):
    """That there are no names of columns, and the encoding."""
    text = "Ёлка стоит у дома.\tЁлка стоят у дома.\n".encode("koi8_r")
    status, _, errors = lint(save("a.tsv", text), *task)
    assert status == 0 and "so the columns are called good, bad" in errors and "read as KOI8-R (Cyrillic)" in errors


@pytest.mark.model
def test_a_lesson_is_checked_by_its_own_model(lint, save):
    status, out, errors = lint(save("lesson.toml", LESSON))
    assert status == 0 and "Checked with the tokens of english-small." in errors
    assert "1 of 2 texts has words in capitals (item step 1)" in out and "1 of 1 step has no question" in out
    status, _, errors = lint(save("lesson.toml", LESSON.replace('model = "english-small"\n', "")))
    assert status == 0 and "Tokens are not counted: the lesson has no model." in errors
    table = save("lesson.csv", "a,b,question\nIt is.,It are.,Which?\n")
    status, out, _ = lint(table, "--task", "lesson")
    assert status == 0 and "1 of 1 step has nothing to notice" in out
