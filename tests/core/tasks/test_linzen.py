"""The reader of sentences with a .gold file: what it makes of them, and what it says about lines that do not fit."""

import gzip
from collections import Counter

import pytest

from pairlens.rules import RULES
from pairlens.tasks import TASKS
from pairlens.types import Request
from tests.records import read, refusal

SENTENCE = "the keys to the cupboard <unk> are here . <eos>\n"


def of(save, gold="6\tare\tis\t1\n", text=SENTENCE):
    save("a.gold", gold)
    return save("a.text", text)


def forms(item):
    return [one.text[slice(*one.regions["form"])] for one in item.candidates]


def test_a_line_becomes_an_item_whose_form_or_whole_is_asked_about(save):
    (item,) = read("linzen", of(save))
    right, wrong = item.candidates
    assert (item.id, item.gold, right.label, wrong.label) == ("a_0", "correct", "correct", "wrong")
    assert right.context == wrong.context == "the keys to the cupboard <unk>", "what a set does not know stays"
    assert (right.text, wrong.text) == (" are here .", " is here .")
    assert forms(item) == ["are", "is"]
    assert item.groups == {
        "attractors": "1", "number": "plural", "prefix_length": "6", "unknown": "1", "contrast": "are|is",
    }  # fmt: skip
    asked = {rule: RULES[rule].terms(wrong) for rule in TASKS["linzen"].rules}
    assert asked["word"] == asked["form"] == (Request("the keys to the cupboard <unk>", " is"),)
    assert asked["joint"] == (Request("", "the keys to the cupboard <unk> is here ."),)


@pytest.mark.parametrize(
    ("right", "wrong", "number"),
    [
        ("is", "are", "singular"), ("Are", "Is", "plural"), ("was", "were", "singular"), ("have", "has", "plural"),
        ("does", "do", "singular"), ("pass", "passes", "plural"), ("carries", "carry", "singular"),
        ("progresses", "progress", "singular"), ("lie", "lie", "unknown"), ("verte", "vert", "unknown"),
    ],
)  # fmt: skip
def test_the_number_is_that_of_the_english_form(save, right, wrong, number):
    (item,) = read("linzen", of(save, f"1\t{right}\t{wrong}\t0\n", f"they {right.lower()} .\n"))
    assert item.groups["number"] == number


def test_either_file_and_the_folder_give_the_same_items_but_not_one_alone(save):
    text = of(save, "6\tare\tis\t1\n\n")
    expected = read("linzen", text)
    assert read("linzen", text.with_name("a.gold")) == read("linzen", text.parent) == expected
    text.unlink()
    assert read("linzen", save("a.text.gz", gzip.compress(SENTENCE.encode()))) == expected
    alone = save("b.text", SENTENCE)
    assert refusal("linzen", alone) == "b.text: there is no b.gold beside it, the two belong together."
    alone.rename(alone.with_suffix(".gold"))
    assert "b.gold: there is no b.text beside it" in refusal("linzen", alone.with_suffix(".gold"))
    other = refusal("linzen", save("x.csv", "a,b\n"))
    assert "x.csv: cannot read a file of this kind. Expected .text, .gold" in other


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ("6\tare\tis\n", "a.gold, line 1: found 3 columns. Expected 4: position, right, wrong, attractors."),
        ("10\tare\tis\t0\n", "line 1: '10' is no place in the sentence of this line, which has 10 words (from 0)"),
        ("-1\tare\tis\t0\n", "a.gold, line 1: '-1' is no place"),
        ("7\tare\tis\t0\n", "a.gold, line 1: the word at place 7 of the sentence is 'here', neither of are / is."),
        ("6\tare\t\t0\n", "a.gold, line 1: expected one word as the wrong form, found ''."),
        ("6\tare\tis\t0\n" * 2, "a.text, line 1: the file ends here, but a.gold has 2 lines."),
        ("\n", "a.gold: the file is empty"),
    ],
)
def test_a_line_that_does_not_fit_is_named(save, gold, message):
    assert message in refusal("linzen", of(save, gold))


def test_the_released_set(shared_data):
    folder = shared_data("colorless_green/data/linzen_testset")
    items = read("linzen", folder)
    assert Counter(item.groups["attractors"] for item in items) == {
        "0": 1972, "1": 1957, "2": 1943, "3": 1287, "4": 330,
    }  # fmt: skip
    assert len(items) == 7489
    assert Counter(item.groups["number"] for item in items) == {"plural": 4755, "singular": 2730, "unknown": 4}
    same = [right for right, wrong in map(forms, items) if right == wrong]
    assert same == ["wherein", "lie", "edit", "en"]
    with gzip.open(folder / "subj_agr_filtered.text.gz", "rt", encoding="utf-8") as file:
        sentences = [line.removesuffix(" <eos>\n").split(" ") for line in file]
    with gzip.open(folder / "subj_agr_filtered.gold.gz", "rt", encoding="utf-8") as file:
        targets = [line.rstrip("\n").split("\t") for line in file]
    for item, words, (place, *either, _) in zip(items, sentences, targets, strict=True):
        expected = [" ".join([*words[: int(place)], form, *words[int(place) + 1 :]]) for form in either]
        assert [one.context + one.text for one in item.candidates] == expected
    assert not any(item.groups["unknown"] != "0" for item in items)
