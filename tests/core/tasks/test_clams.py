"""The CLAMS reader: pairs of lines, templates and languages by file and folder, and how the texts are read."""

import gzip
from collections import Counter

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy, preset_for
from pairlens.tasks import TASKS
from pairlens.text import prepare
from tests.records import read, refusal

SAMPLE = ROOT / "data" / "samples" / "clams"
PAIR = "True\tthe uncle sings\nFalse\tthe uncle sing\n"


def test_two_lines_become_a_pair_in_any_order(save):
    (item,) = read("clams", save("simple_agrmt.txt", PAIR))
    assert (item.id, item.gold) == ("simple_agrmt_0", "good")
    assert [(c.label, c.text, c.context) for c in item.candidates] == [
        ("good", "the uncle sings", ""), ("bad", "the uncle sing", ""),
    ]  # fmt: skip
    assert item.groups == {"UID": "simple_agrmt", "language": "unknown", "contrast": "sings|sing"}
    turned = "\ufeffFalse\tthe uncle sing\r\n\r\nTrue\tthe uncle sings\r\n"
    expected = read("clams", save("a.txt", PAIR))
    assert read("clams", save("a.txt", turned)) == expected


def test_folders_say_the_language_and_the_sample_is_balanced(tmp_path, save):
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
    items = read("clams", SAMPLE)
    assert set(Counter(item.groups["UID"] for item in items).values()) == {16}
    assert {item.groups["language"] for item in items} == {"en"}
    assert "a.csv: cannot read a file of this kind. Expected .txt" in refusal("clams", save("a.csv", PAIR))


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


COUNTS = {"en": (157_346, 22), "fr": (49_360, 7), "de": (47_820, 7), "he": (40_820, 7), "ru": (40_120, 7)}
"""Pairs and templates."""
JOINED = {"fr": ("l' ", "d' ", "qu' "), "de": (" ,",), "ru": (" ,",), "en": (), "he": ()}
"""What should lose its space in each language, and nothing else."""


@pytest.mark.parametrize(
    "language", ["fr", *(pytest.param(one, marks=pytest.mark.soak) for one in ("de", "en", "he", "ru"))]
)
def test_the_released_files_are_read_whole_and_as_each_language_is_written(shared_data, language):
    folder = shared_data("clams") / f"{language}_evalset"
    items = read("clams", folder)
    assert {item.groups["language"] for item in items} == {language}
    assert (len(items), len({item.groups["UID"] for item in items})) == COUNTS[language]
    texts = [candidate.text for item in items[::40] for candidate in item.candidates]
    policy, joined = preset_for("pairlens", TASKS["clams"].sets), "\n".join(texts)
    for part in JOINED[language]:
        joined = joined.replace(part, part.strip())
    assert [prepare(text, policy, None).text for text in texts] == joined.split("\n")
    assert prepare(texts[0], Policy(text="as-typed"), None).text == texts[0]


@pytest.mark.soak
def test_the_sample_is_ours(shared_data):
    ours, published = (
        {candidate.text for item in read("clams", folder) for candidate in item.candidates}
        for folder in (SAMPLE, shared_data("clams/en_evalset"))
    )
    assert not ours & published
