"""Old Portuguese spelling into today's."""

from __future__ import annotations

import pytest

from workshop.language_models.portuguese import Modernizer, bare, present, proposals

WORDS = (
    "ele ela aquela anos também família fazê farmácia física teatro conhecer cometer emoção ato ótimo ciência "
    "português pôs mês homem ontem criança igreja enquanto céu compreender tranqüilo idéia água casa fazer num "
    "daquela mãos sistema retrato o a de que os as não era na em esta noite vez"
)


@pytest.fixture(scope="module")
def modernizer():
    return Modernizer(WORDS.split(" "))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("elle", "ele"),
        ("aquella", "aquela"),
        ("annos", "anos"),
        ("tambem", "também"),
        ("pharmacia", "farmácia"),
        ("theatro", "teatro"),
        ("commetter", "cometer"),
        ("emoção", "emoção"),
        ("acto", "ato"),
        ("optimo", "ótimo"),
        ("sciencia", "ciência"),
        ("portuguez", "português"),
        ("creança", "criança"),
        ("egreja", "igreja"),
        ("emquanto", "enquanto"),
        ("comprehender", "compreender"),
        ("systema", "sistema"),
        ("fazel-o", "fazê-lo"),
        ("n'um", "num"),
        ("d'aquella", "daquela"),
        ("Hontem", "Ontem"),
        ("céo", "céu"),
        ("vez", "vez"),
        ("xyzzy", "xyzzy"),
    ],
)
def test_words(modernizer, old, new):
    assert modernizer.text(old) == new


def test_a_sentence_keeps_its_marks_and_capitals(modernizer):
    assert modernizer.sentence("Elle não era na egreja, hontem!") == "Ele não era na igreja, ontem!"


def test_sentences_of_strange_words_are_dropped(modernizer):
    assert modernizer.sentence("o blorp a grunt de snark") == ""


def test_lists_from_before_the_agreement_are_read_in_present_spelling():
    assert [present(word) for word in ("tranqüilo", "idéia", "vôo", "lêem")] == ["tranquilo", "ideia", "voo", "leem"]
    assert bare("Ação") == "açao"


def test_nearer_spellings_are_proposed_first():
    forms = list(proposals("elle"))
    assert forms[0] == "elle"
    assert forms.index("ele") < 20
