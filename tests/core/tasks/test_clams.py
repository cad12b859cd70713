"""The CLAMS reader: pairs of lines, templates and languages by file and folder, and how the texts are read."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from core.policies import Policy, preset_for
from core.settings import ROOT
from core.tasks import TASKS
from core.text import prepare
from tests.records import read, refusal

Save = Callable[..., Path]
Find = Callable[[str], Path]
PAIR = "True\tthe uncle sings\nFalse\tthe uncle sing\n"


def test_two_lines_become_a_pair(save):
    (item,) = read("clams", save("simple_agrmt.txt", PAIR))
    assert (item.id, item.gold) == ("simple_agrmt_0", "good")
    assert [(c.label, c.text, c.context) for c in item.candidates] == [
        ("good", "the uncle sings", ""), ("bad", "the uncle sing", ""),
    ]  # fmt: skip
    assert item.groups == {"UID": "simple_agrmt", "language": "unknown", "contrast": "sings|sing"}


def test_the_bad_line_may_come_first_and_blank_lines_do_not_count(save):
    turned = "\ufeffFalse\tthe uncle sing\r\n\r\nTrue\tthe uncle sings\r\n"
    expected = read("clams", save("a.txt", PAIR))
    assert read("clams", save("a.txt", turned)) == expected


def test_folders_say_the_language(tmp_path):
    for language in ("ru", "fr"):
        (tmp_path / f"{language}_evalset").mkdir()
        (tmp_path / f"{language}_evalset" / "vp_coord.txt.gz").write_bytes(gzip.compress(PAIR.encode()))
    (tmp_path / "SOURCE.txt").write_text("where it is from")
    items = read("clams", tmp_path)
    assert [(item.id, item.groups["language"]) for item in items] == [
        ("fr_vp_coord_0", "fr"), ("ru_vp_coord_0", "ru"),
    ]  # fmt: skip
    assert read("clams", tmp_path / "ru_evalset") == read("clams", tmp_path / "ru_evalset" / "vp_coord.txt.gz")
    assert read("clams", tmp_path / "ru_evalset") == items[1:]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (PAIR + "True\ta\nTrue\tb\n", "a.txt, line 4: a second line of 'True', after line 3."),
        (PAIR + "False\tb\nTrue\tc\n", "a.txt, line 3: the pair begins with 'False', the file with 'True'"),
        (PAIR + "\nTrue\ta\n", "a.txt, line 4: this line has no partner. Expected pairs of lines."),
        (PAIR + "the uncle sings\n", "a.txt, line 3: expected True or False, a TAB and a sentence; found 'the uncle"),
        ("True\t\n", "a.txt, line 1: expected True or False, a TAB and a sentence"),
        ("true\tyes\n", "a.txt, line 1: expected True or False"),
        ("\n", "a.txt: no sentence"),
    ],
)
def test_lines_that_are_no_pairs_are_named(save, content, message):
    assert message in refusal("clams", save("a.txt", content))


def test_another_kind_of_file_is_refused(save):
    assert "a.csv: cannot read a file of this kind. Expected .txt" in refusal("clams", save("a.csv", PAIR))


COUNTS = {"en": 157_346, "fr": 49_360, "de": 47_820, "he": 40_820, "ru": 40_120}
TEMPLATES = {"en": 22, "fr": 7, "de": 7, "he": 7, "ru": 7}


@pytest.mark.parametrize("language", COUNTS)
def test_the_released_files(shared_data, language):
    folder = shared_data("clams") / f"{language}_evalset"
    items = read("clams", folder)
    assert len(items) == COUNTS[language] and {item.groups["language"] for item in items} == {language}
    uids = Counter(item.groups["UID"] for item in items)
    assert len(uids) == TEMPLATES[language]
    lines = sum(file.read_text(encoding="utf-8").count("\t") if file.suffix == ".txt" else
                gzip.decompress(file.read_bytes()).count(b"\t") for file in folder.iterdir())  # fmt: skip
    assert lines == 2 * len(items)


JOINED = {
    "fr": lambda text: text.replace("l' ", "l'").replace("d' ", "d'").replace("qu' ", "qu'"),
    "de": lambda text: text.replace(" ,", ","),
    "ru": lambda text: text.replace(" ,", ","),
    "en": str,
    "he": str,
}
"""What should be joined in each language, and nothing else."""


@pytest.mark.parametrize("language", COUNTS)
def test_our_preset_reads_each_language_as_it_is_written(shared_data, language):
    policy = preset_for("pairlens", TASKS["clams"].sets)
    items = read("clams", shared_data("clams") / f"{language}_evalset")[::40]
    texts = [candidate.text for item in items for candidate in item.candidates]
    assert [prepare(text, policy, None).text for text in texts] == [JOINED[language](text) for text in texts]
    assert prepare(texts[0], Policy(text="as-typed"), None).text == texts[0]


def test_the_sample_is_ours_and_balanced(shared_data):
    items = read("clams", ROOT / "data" / "samples" / "clams")
    assert set(Counter(item.groups["UID"] for item in items).values()) == {16}
    assert {item.groups["language"] for item in items} == {"en"}
    ours = {candidate.text for item in items for candidate in item.candidates}
    published = {c.text for item in read("clams", shared_data("clams/en_evalset")) for c in item.candidates}
    assert not ours & published
