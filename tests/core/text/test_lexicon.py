"""The lexicons: every word once, forms that are what they are called, and what is made of them on the first page."""

import re
from collections import Counter

import pytest

from pairlens.errors import InputError
from pairlens.studies.compare.robustness import variants
from pairlens.text.lexicon import AGREEING, form_name, form_number, lexicon, lexicons

LANGUAGES = ["en", "fr", "pt"]
IRREGULAR_PLURALS = {"children", "men", "gentlemen", "women", "mice"}


def form(entry, name):
    return entry.forms[[form_name(features) for features in entry.features].index(name)]


def test_there_are_three_with_the_endings_of_their_languages_in_which_postmen_and_bakers_are_nobodys():
    assert list(lexicons()) == LANGUAGES
    with pytest.raises(InputError, match="Known: en, fr, pt"):
        lexicon("de")
    related = {word.forms[0] for word in lexicon("fr").select([["person"], ["m"], ["related"]])}
    assert "voisin" in related and not related & {"facteur", "boulanger"}
    for entry in lexicon("en").select([["noun"]]):
        assert form(entry, "pl").endswith("s") or form(entry, "pl") in IRREGULAR_PLURALS, entry.forms
    for entry in lexicon("en").select([["verb"]]):
        singular, base, ing = (form(entry, name) for name in ("sg", "pl", "ing"))
        assert singular in (f"{base}s", f"{base}es", f"{base[:-1]}ies"), entry.forms
        assert re.fullmatch(rf"{base.removesuffix('e')}{base[-1]}?ing", ing), entry.forms
    for entry in lexicon("fr").select([["verb"]]):
        assert form(entry, "imperfect sg").endswith("ait") and form(entry, "imperfect pl").endswith("aient")
        assert form(entry, "imperfect pl") == f"{form(entry, 'imperfect sg')[:-1]}ent", entry.forms
        assert form(entry, "pl").endswith("ent"), entry.forms
        participles = [form(entry, f"participle {name}") for name in ("m sg", "f sg", "m pl", "f pl")]
        masculine = participles[0]
        assert participles in ([masculine] * 4, [masculine, f"{masculine}e", f"{masculine}s", f"{masculine}es"])
    for entry in lexicon("fr").select([["adjective"]]):
        assert form(entry, "f sg").endswith("e") and form(entry, "f pl") == f"{form(entry, 'f sg')}s", entry.forms
    for entry in lexicon("pt").select([["verb"]]):
        assert all(form(entry, name).endswith("m") for name in ("pl", "past pl")), entry.forms
        assert form(entry, "infinitive").endswith("r"), entry.forms
    for entry in lexicon("pt").select([["adjective"]]):
        assert all(form(entry, name).endswith("s") for name in ("m pl", "f pl")), entry.forms


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_has_all_forms_once_and_a_class_belongs_to_one_part_of_speech(language):
    entries, parts = lexicon(language).entries, {}
    forms = Counter(form for entry in entries if entry.is_open for form in set(entry.forms))
    assert [form for form, times in forms.items() if times > 1] == []
    for entry in entries:
        assert len(entry.forms) == len(entry.features) and all(entry.forms), entry
        for name in entry.path[1:]:
            parts.setdefault(name, set()).add(entry.path[0])
    assert {name for name, several in parts.items() if len(several) > 1} <= {"m", "f"}


VERB = lexicon("fr").select([["verb"]])[0].features


@pytest.mark.parametrize(
    ("asked", "agreed", "found"),
    [("", "sg", "sg"), ("", "f pl", "pl"), ("participle", "f pl", "participle f pl"), ("pl", "sg m", "pl"),
     ("participle m", "f sg", "participle m sg"), ("infinitive", "f sg", "infinitive"),
     ("imperfect", "m sg", "imperfect sg")],
)  # fmt: skip
def test_the_form_that_is_meant(asked, agreed, found):
    number = form_number(VERB, frozenset(asked.split()), frozenset(agreed.split()))
    assert form_name(VERB[number]) == found


def test_forms_and_classes_that_are_none_are_refused():
    for name, message in (("participle", "several forms"), ("past", "no form 'past'")):
        with pytest.raises(InputError, match=message):
            form_number(VERB, frozenset([name]), frozenset())
    for classes, message in (
        ([["noum"]], "Did you mean 'noun'"),
        ([["person"], ["verb"]], "all of these classes at once"),
        ([["m"]], "may be name or noun: write 'name.m'"),
    ):
        with pytest.raises(InputError, match=message):
            lexicon("en").select(classes)


@pytest.mark.parametrize(
    ("language", "text", "forms"),
    [("fr", "Les lettres que le facteur a {} étaient sales.", ("apportées", "apportée")),
     ("pt", "O menino perto das vizinhas {}.", ("dorme", "dormem")),
     ("en", "The keys to the cabinet {} here.", ("are", "is")), ("en", "The boy {} loudly.", ("laughs", "laugh"))],
)  # fmt: skip
def test_twenty_like_it(language, text, forms):
    """Function words, number and gender stay; the differing word is a form of one verb."""
    pair, entries = tuple(map(text.format, forms)), lexicon(language).entries
    known = {form: (entry, features) for entry in entries if entry.is_open
             for form, features in zip(entry.forms, entry.features, strict=True)}  # fmt: skip
    found = variants(pair)
    assert len(set(found)) == 20 and pair not in found and found == variants(pair)
    for sentences in found:
        for old, new in zip(pair, sentences, strict=True):
            for before, after in zip(old.lower().rstrip(".").split(), new.lower().rstrip(".").split(), strict=True):
                if before in known:
                    (entry, _), (other, _) = known[before], known[after]
                    assert entry.path == other.path and entry.gender == other.gender
                    assert AGREEING & known[before][1] <= AGREEING & known[after][1] or entry.path[0] == "adjective"
                else:
                    assert before == after
        differing = [(a, b) for a, b in zip(*(text.split() for text in sentences), strict=True) if a != b]
        assert len(differing) == 1


def test_what_is_elided_stays_elided():
    pair = ("L'homme que l’actrice aime est malade.", "L'homme que l’actrice aiment est malade.")
    for sentence, _ in variants(pair):
        assert re.fullmatch(r"L'[aeéhio]\w+ que l’[aeéio]\w+ \w+ est \w+\.", sentence), sentence
