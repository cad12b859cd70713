"""Files as people bring them: without column names, single sentences, other endings, documents of other programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from core.files.tables import guesses, read_as, read_json, read_records, read_table
from core.tasks import TASKS
from tests.refusals import error_of

Save = Callable[..., Path]
PAIRS = "The cat sleeps.\tThe cat sleep.\nThe dogs run.\tThe dogs runs.\n"
COLA = "gj04\t1\t\tOur own sentence is here.\ngj04\t0\t*\tOur own sentence are here.\n"
SEAT = '{\n  "targ1": {\n    "category": "A",\n    "examples": ["x"]\n  },\n  "attr1": {"category": "B"}\n}\n'


@pytest.mark.parametrize("name", ["a.tab", "a.tsv", "a.text", "a.lst", "a.txt", "a.dat", "a"])
def test_two_columns_of_sentences_without_names_are_pairs(save, name):
    path = save(name, PAIRS)
    items = list(TASKS["pairs"].read(path))
    assert [[one.text for one in item.candidates] for item in items] == [
        line.split("\t") for line in PAIRS.split("\n")
    ][:2]
    assert "Its first line is no line of column names" in read_as(read_table(path))


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (COLA, ["column 1", "column 2", "column 3", "column 4"]),
        ("1\tOne sentence is here.\n0\tOne sentence are here.\n", ["column 1", "column 2"]),
        ("1\tThe cat sleeps.\tThe cat sleep.\n", ["column 1", "column 2", "column 3"]),
        ("猫が寝ている。\t猫を寝ている。\n", ["good", "bad"]),
        ("the good text\tthe worse text\tgroup\n1\t2\t3\n", ["the good text", "the worse text", "group"]),
        ("The good sentence\tThe bad one\nthe cat sleeps\tthe cat sleep\n", ["The good sentence", "The bad one"]),
        ("the preferred variant\tthe other one\nThe cat.\tThe cats.\n", ["the preferred variant", "the other one"]),
        ("what is right\twhat is not\nA b c.\tA b d.\n", ["what is right", "what is not"]),
        ("what is right\twhat is not\na b c\ta b d\n", ["what is right", "what is not"]),
        ("the cat sleeps\tthe cat sleep\nthe dogs run\tthe dogs runs\n", ["good", "bad"]),
        ("good\tbad\nThe cat sleeps.\tThe cat sleep.\n", ["good", "bad"]),
        ("What is the sentence?\n", ["What is the sentence?"]),
        ("\tsent_more\n0\tx\n", ["column 1", "sent_more"]),
    ],
)  # fmt: skip
def test_names_are_made_only_where_the_first_row_has_none(save, content, columns):
    table = read_table(save("a.tsv", content))
    assert [*table.columns] == columns
    assert len(table) == content.count("\n") - ("unnamed" not in table.attrs)


@pytest.mark.parametrize("content", [COLA, "sentence\tlabel\nIt is here.\t1\nIt are here now.\t0\n"])
def test_single_sentences_with_judgements_say_what_scores_them(save, content):
    message = error_of(lambda: list(TASKS["pairs"].read(save("a.tsv", content))))
    assert "single sentences, each with a judgement" in message and "`score`" in message and "minimal-pair" in message


def test_an_association_test_says_what_it_is(save):
    lines, document = save("seat.jsonl", SEAT), save("seat.json", SEAT)
    for read in (
        lambda: list(read_records(lines)),
        lambda: read_table(document),
        lambda: read_json(document, "a suite"),
    ):
        assert "an association test (SEAT, WEAT)" in error_of(read)


def test_a_document_that_is_called_lines_says_so(save):
    message = error_of(lambda: list(read_records(save("a.jsonl", '[\n  {"a": 1}\n]\n'))))
    assert message.startswith("a.jsonl, line 1: a JSON document over several lines")


def test_made_names_are_said_of_every_kind_of_table(save):
    said = "Its first line is no line of column names, so the columns are called good, bad."
    path = save("a.tsv", PAIRS)
    table = read_table(path)
    sheet = path.with_suffix(".xlsx")
    pd.DataFrame([line.split("\t") for line in PAIRS.splitlines()]).to_excel(sheet, header=False, index=False)
    assert guesses(path, table) == [said] and guesses(path) == []
    assert guesses(sheet, read_table(sheet)) == [said] == [read_as(read_table(sheet))]
