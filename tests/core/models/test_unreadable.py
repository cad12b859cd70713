"""Texts that a model cannot judge: few false alarms, few misses."""

import pytest

from pairlens.models import find, unreadable
from pairlens.policies import PRESETS

POLICY = PRESETS["pairlens"]
ENGLISH = ("The keys to the cabinet are here.", "Most cats hadn't embarrassed Tanya.", "Colorless green ideas sleep.",
           "The smartphone crashed again.", "THE KEYS ARE HERE.", "At the same", "In 1984, 2,143 of 6,133 were sold.",
           "Most guests had admired Victoria.", "To be or not to be")  # fmt: skip
FRENCH = ("Les lettres que mon oncle a écrites sont là.", "Elle me la montre.", "Les chevaux sont fatigués.",
          "L'accord du participe a disparu.", "Le chat dort sur la chaise.")  # fmt: skip
PORTUGUESE = ("As crianças dormem no quarto.", "Um homem está tocando violão na rua.", "O gato preto dorme.")
GERMAN = ("Der Hund schläft im Garten.", "Die Autoren, die die Wachen mögen, lachen.")
OTHER_SCRIPTS = ("הילדים ישנים בבית", "猫が寝ている", "Дети спят дома.")


@pytest.fixture(params=["english-small", "french-small", "portuguese-small", "bilingual-masked", "english-seq2seq"])
def model(request):
    return find(request.param)


def _why(text, model, language=""):
    return unreadable.why_unreadable([text], POLICY, model, language)


def test_its_own_languages_are_read_and_another_one_is_noticed(model):
    own = {"en": ENGLISH, "fr": FRENCH, "pt": PORTUGUESE}
    for language in model.card["language"].split():
        for text in own[language]:
            if text.isupper() and not model.card["lower_case"]:
                assert "has hardly read such words" in _why(text, model)
                continue
            assert _why(text, model) == "", text
            assert _why(text, model, language) == "", text
    for language, texts in (("en", ENGLISH[:2]), ("fr", FRENCH), ("pt", PORTUGUESE)):
        if language not in model.card["language"].split():
            assert "has read no" in _why(" ".join(texts), model)
            for text in texts:
                assert _why(text, model).startswith((f"{model.name} has read no ", f"{model.name} has hardly read "))
    assert all(_why(text, model) for text in (*GERMAN, *OTHER_SCRIPTS)), "which none has read"
    assert not any(unreadable.why_unreadable(texts, POLICY, model) for texts in ([], [""], ["   "], ["123"], ["!?"]))


def test_languages_and_strange_words_are_named_where_they_are_certain_and_nothing_without_counts_or_card(tiny):
    english = find("english-small")
    assert _why(FRENCH[0], english) == "english-small has read no French: what it prefers here says nothing."
    assert _why("x", english, "he") == "english-small has read no Hebrew: what it prefers here says nothing."
    assert "has hardly read such words (" in _why(GERMAN[0], english) and "schläft" in _why(GERMAN[0], english)
    assert _why(OTHER_SCRIPTS[0], english).startswith("english-small has never read ")
    told = [unreadable.language_of([text]) for text in (ENGLISH[0], FRENCH[0], PORTUGUESE[0], GERMAN[0], "Paris")]
    assert told == ["en", "fr", "pt", "", ""]
    assert "xqzzt" in unreadable.hardly_read(["This is the word xqzzt that nobody says."], POLICY, english)
    assert unreadable.hardly_read([ENGLISH[0]], POLICY, english) == []
    model = find(tiny("llama"))
    assert _why(FRENCH[0], model) == _why(GERMAN[0], model) == _why(ENGLISH[0], model) == ""
