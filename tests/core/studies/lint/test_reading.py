"""Mistakes of reading: all of them in one pass, the other rows checked, and rows numbered as in the file."""

from pathlib import Path

import pytest

from pairlens.errors import InputError
from pairlens.evaluation.readers import readers
from pairlens.files.row_mistakes import KEPT, collected
from pairlens.files.tables import read_table, row_numbers
from pairlens.models import find, load
from pairlens.places import FOLDER as ROOT
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.lint.running import lint, lint_design, read_experiment, read_items, rows_in_words, token_counter
from pairlens.tasks import TASKS
from tests.refusals import error_of

SAMPLES = ROOT / "data" / "samples"
GOOD = "The cats sleep.,The cats sleeps.\n"
BAD = (
    "good,bad\n" + GOOD + ",No good text.\nNo bad text.,\nOne cell.\nThree,cells,here\n\n"
    '"The sheep\nhave slept.",The sheep has slept.\n , \n,Again\n,And again\n'
)
"""Rows 3 to 6 and 9 to 11 are wrong, row 7 is blank, row 8 has two lines."""


def rows_of(reading):
    return [row for row, _ in reading.mistakes.kept]


def pairs_of(path):
    return read_items(TASKS["pairs"].read, path)


def test_wrong_rows_are_all_counted_the_others_checked_and_without_a_collector_the_first_is_raised(save):
    path = save("a.csv", BAD)
    reading = pairs_of(path)
    assert set(rows_of(reading)) == {3, 4, 5, 6, 9, 10, 11} and list(reading.rows) == [2, 8]
    report = lint(reading.items, rows=reading.rows, mistakes=reading.mistakes)
    assert "7 rows cannot be read; 2 pairs can (rows 3, 4, 5, 6, 9, 10, 11)." in report.in_words()
    breaks = report.findings[report.findings["check"] == "line_breaks"]
    assert breaks["row"].tolist() == [8] and report.n_errors == 1
    assert error_of(lambda: list(TASKS["pairs"].read(save("a.csv", BAD)))).startswith("a.csv, row 5: found 1 cell,")
    path = save("a.csv", 'good,bad\n"A\nb.",A c.\nOne cell.\n')
    assert error_of(lambda: read_table(path)).startswith("a.csv, row 3 (line 4 of the file): found 1 cell,")
    reading = pairs_of(save("a.csv", "good,bad\n" + GOOD + ",x\n" * (KEPT + 50)))
    assert (reading.mistakes.n, len(reading.mistakes.kept), len(reading.items)) == (KEPT + 50, KEPT, 1)
    reading = pairs_of(save("a.csv", "good,bad\n,x\ny,\n"))
    report = lint(reading.items, mistakes=reading.mistakes)
    assert report.summary["check"].tolist() == ["unreadable"]
    assert report.in_words() == ["2 rows cannot be read; 0 pairs can (rows 2, 3)."]
    assert "expected columns" in error_of(lambda: pairs_of(save("a.csv", "x,y\n1,2\n")))
    reading = pairs_of(save("a.csv", "good,bad\n" + GOOD + ',x\n"never closed,y\nz,z\n'))
    assert set(rows_of(reading)) == {3, 4} and len(reading.items) == 1


@pytest.mark.parametrize(
    ("name", "content", "numbers"),
    [("a.csv", "a,b\n1,2\n3,4\n", [2, 3]), ("a.csv", "sep=;\na;b\n1;2\n", [2]),
     ("a.csv", 'a,b\n"x\ny",2\n\n3,4\n', [2, 4]), ("a.jsonl", '{"a": 1}\n\n{"a": 2}\n', [1, 3]),
     ("a.json", '[{"a": 1}, {"a": 2}]', [1, 2])],
)  # fmt: skip
def test_rows_are_numbered_as_a_spreadsheet_does(save, name, content, numbers):
    assert list(row_numbers(read_table(save(name, content)))) == numbers


TAKEN = [name for name in TASKS if name != "nli"]  # which reads columns, not rows
RECORDS = sorted(path for path in SAMPLES.glob("*/*.jsonl") if path.parent.name in TAKEN)


@pytest.mark.parametrize("file", RECORDS, ids=lambda path: path.stem)
def test_records_of_every_task_are_read_past_one_that_is_wrong(file, save):
    lines = file.read_text(encoding="utf-8").splitlines()
    path = save(file.name, "\n".join([lines[0], '{"x": 1}', "no JSON", *lines[1:]]) + "\n")
    task = TASKS[file.parent.name]
    reading = read_items(task.read, path)
    assert sorted(rows_of(reading)) == [2, 3] and list(reading.rows) == [1, *range(4, len(lines) + 3)]
    with pytest.raises(InputError):
        list(task.read(path))


@pytest.mark.parametrize("name", ["crows_pairs", "reading"])
def test_tables_are_read_past_a_row_that_is_wrong(name, save):
    found = next((SAMPLES / name).glob("*.csv"))
    lines = found.read_text(encoding="utf-8").splitlines()
    reading = read_items(TASKS[name].read, save(found.name, "\n".join([*lines[:2], "one cell", *lines[2:]]) + "\n"))
    assert rows_of(reading) == [3] and [*reading.rows[:2]] == [2, 4]


@pytest.mark.slow
def test_sentences_in_lines_and_experiments_are_read_past_what_is_wrong_and_a_task_is_found_behind_it(save):
    path = save("a.txt", "It is.\nIt are.\nA b c.\nA d e.\nWe are.\nWe is.\n")
    reading = read_items(TASKS["agreement"].read, path)
    assert (rows_of(reading), list(reading.rows)) == ([3], [1, 5])
    rows = 'correct\tis\t"It is\t-1\nwrong\tare\t"It are\t-2\n'
    reading = read_items(TASKS["agreement"].read, save("a.raw-pred", "class\tform\tsent\tprobs\n" + rows))
    assert (reading.mistakes.n, list(reading.rows)) == (0, [2])
    assert readers(save("a.csv", "good,bad\n,x\n" + GOOD)) == ["pairs"]
    assert "blimp" in readers(save("a.jsonl", '{"x": 1}\n{"sentence_good": "A.", "sentence_bad": "B."}\n'))
    assert readers(save("a.csv", "good,bad\n" + ",x\n" * 10_001 + GOOD)) == []
    rows = "1\t1\texpected\tIt is.\n2\t1\tunexpected\tIt are.\n3\t2\n4\t3\tmaybe\tWe are.\n"
    path = save("a.tsv", "sentid\tpairid\tcomparison\tsentence\n" + rows)

    def read():
        table = read_table(path)
        return read_design(table, guess_columns(table), path.name)

    reading = read_experiment(read)
    assert reading.design is not None and rows_of(reading) == [4]
    assert reading.design.excluded["row"].tolist() == [5]
    assert lint_design(reading.design, mistakes=reading.mistakes).n_errors == 1


def test_a_collector_ends_with_its_block_and_what_rows_are_is_said(save, tmp_path):
    path = save("a.csv", "good,bad\n,x\n" + GOOD)
    with collected() as mistakes:
        assert len(list(TASKS["pairs"].read(path))) == 1
    assert mistakes.n == 1
    with pytest.raises(InputError):
        list(TASKS["pairs"].read(path))
    assert "the column names are row 1" in rows_in_words(Path("a.csv.gz"))
    assert rows_in_words(Path("a.jsonl")) == "Rows are lines of the file."
    assert rows_in_words(tmp_path) == rows_in_words(Path("a.xml")) == ""


TEXTS = ["Who has the authors' keys?", "", "They thrive.", "naïve 猫 🙂"]


@pytest.mark.parametrize(("architecture", "head"), [("llama", "causal"), ("roberta", "masked"), ("t5", "seq2seq")])
def test_tokens_and_window_without_weights(tiny, architecture, head):
    from transformers import AutoTokenizer

    folder = tiny(architecture)
    model = find(folder)
    counter = token_counter(model)
    plain = AutoTokenizer.from_pretrained(folder)
    for text in TEXTS:
        assert counter.tokens(text) == len(plain(text, add_special_tokens=False).input_ids)
    around = max(len(plain("a").input_ids) - len(plain("a", add_special_tokens=False).input_ids), 1)
    assert counter.window == load(model, head).window - around


def test_the_tokens_of_word_counts_are_words_and_marks(unigram):
    counter = token_counter(find(unigram))
    assert counter.tokens("Don't stop, he said.") == 6 and counter.window is None
