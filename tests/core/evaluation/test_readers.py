"""Which task reads a file, told from what is in it, and what is wrong with a value."""

import shutil
from pathlib import Path

import pytest

from pairlens.errors import InputError
from pairlens.evaluation.readers import items_of, readers
from pairlens.evaluation.zero_shot import sample
from pairlens.tasks import TASKS
from tests.records import refusal, write
from tests.refusals import error_of

ALIKE = {
    "wug_past": "wug_adj", "blimp_nl": "blimp", "zhoblimp": "blimp", "jblimp": "blimp_fr", "turblimp": "blimp_fr",
    "answers": "choices",
}  # fmt: skip
"""Formats that only the file's name tells apart."""


def renamed(task, folder, name):
    """A copy of a task's sample that is not named after it."""
    given = sample(TASKS[task])
    copy = folder / (name if given.is_dir() else name + "".join(given.suffixes))
    return Path((shutil.copytree if given.is_dir() else shutil.copy)(given, copy))


@pytest.mark.parametrize("task", TASKS)
def test_every_sample_is_read_by_its_task(task, tmp_path):
    assert readers(renamed(task, tmp_path, "x"))[0] == ALIKE.get(task, task)


@pytest.mark.parametrize(("task", "other"), ALIKE.items())
def test_a_name_decides_between_formats_that_are_alike(task, other, tmp_path):
    found = readers(renamed(task, tmp_path, f"my_{task.upper()}"))
    assert found[:2] == [task, other]


def test_a_name_makes_no_format_fit_and_what_is_empty_missing_or_without_an_ending_has_no_reader(tmp_path):
    assert readers(tmp_path) == readers(tmp_path / "nowhere") == []
    path = tmp_path / "blimp_pairs.jsonl"
    path.write_text('{"sentence_good": "A cat sleeps.", "sentence_bad": "A cat sleep."}\n')
    assert readers(path)[0] == "blimp", "any table comes last, whatever the file is called"
    path.write_text('{"something": "else"}\n')
    assert readers(path) == []
    path = tmp_path / "a"
    path.write_text("neither a table\nnor sentences of any task\n")
    assert readers(path) == []
    for task in ("blimp", "agreement"):
        with pytest.raises(InputError, match=r"^a[:,]"):
            list(items_of(TASKS[task], path))
    (tmp_path / "a.tab").write_text("x\n")
    with pytest.raises(InputError, match="a: cannot read a file of this kind"):
        list(items_of(TASKS["agreement"], path))


def test_a_task_that_cannot_read_a_table_names_the_one_that_can_if_there_is_one(tmp_path):
    path = tmp_path / "french.tsv"
    path.write_text("sen\twrong_sen\nLe chat dort.\tLe chat dorment.\n")
    error = error_of(lambda: list(items_of(TASKS["qfrblimp"], path)))
    assert error.endswith("found sen, wrong_sen. The task pairs can read it.")
    assert len(list(items_of(TASKS["pairs"], path))) == 1
    path = tmp_path / "x.jsonl"
    good = '{"sentence_good": "A cat sleeps.", "sentence_bad": "A cat sleep."}\n'
    for text in ('{"something": "else"}\n', f'{good}{{"sentence_good": "A cat sleeps."}}\n'):
        path.write_text(text)
        assert "can read it" not in error_of(lambda: list(items_of(TASKS["blimp"], path)))


@pytest.mark.parametrize(
    ("task", "record", "said"),
    [
        (
            "wug_adj",
            {"sentences": "a wuggish\ta wuggy", "ratio": 10**400},
            "field 'ratio' must be a number, found one that is too large",
        ),
        ("blimp", {"sentence_good": "a", "sentence_bad": "b", "UID": None}, "field 'UID' must be a text"),
        ("blimp", {"sentence_good": "a", "sentence_bad": "b", "field": ["x"]}, "field 'field' must be a text"),
        ("blimp", {f"f{n}": 1 for n in range(3_000)}, "found f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, ...."),
    ],
)
def test_a_wrong_value_is_named(task, record, said, tmp_path):
    assert said in refusal(task, write(tmp_path / "a.jsonl", record))


def test_a_context_that_is_missing_needs_a_number_of_words(tmp_path):
    header, first, *rest = (sample(TASKS["reading"])).read_text(encoding="utf-8").splitlines()
    names, cells = header.split(","), first.split(",")
    cells[names.index("item")], cells[names.index("context_length")] = "", "-3"
    path = tmp_path / "reading.csv"
    path.write_text("\n".join([header, ",".join(cells), *rest]) + "\n", encoding="utf-8")
    assert "row 2: column 'context_length' must be a number of words, found '-3'" in refusal("reading", path)
