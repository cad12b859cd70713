"""Everyday pairs: what they say, what follows from what, and that evaluation pairs share nothing with them."""

import csv
import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from tests.workshop.conftest import cut
from workshop.nli_generator.clause import Clause, Frame, Phrase
from workshop.nli_generator.everyday.cases import EVERYDAY, _restored
from workshop.nli_generator.everyday.drawn import single
from workshop.nli_generator.everyday.generate import pairs
from workshop.nli_generator.everyday.nouns import chain
from workshop.nli_generator.generate import LABELS
from workshop.nli_generator.grammar import grammar
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.words import FOLDER, words

LANGUAGES = ("en", "pt")
N = 3_000
DENYING = {
    "en": re.compile(r"\b(not|no|nobody)\b", re.I),
    "pt": re.compile(r"\b(não|nenhum|nenhuma|ninguém)\b", re.I),
}


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request):
    return request.param


@pytest.fixture(scope="module")
def made(language):
    return pairs(language, N, seed=1)


def test_the_same_seed_gives_the_same_pairs(language, made):
    assert pairs(language, 200, seed=1) == made[:200]
    assert pairs(language, 200, seed=2) != made[:200]


def test_no_pair_comes_twice_in_either_order(made):
    assert len({frozenset(pair[2:4]) for pair in made}) == N


def test_all_kinds_and_labels_are_there(made):
    assert set(Counter(pair.construction for pair in made)) == set(EVERYDAY)
    labels = Counter(pair.forward for pair in made)
    assert min(labels[label] for label in LABELS) > N * 0.15


RELATIONS = {
    "said_otherwise": {("entailment", "entailment")},
    "says_less": {("entailment", "neutral")},
    "denied": {("contradiction", "contradiction")},
    "opposite": {("contradiction", "contradiction")},
    "says_more": {("neutral", "entailment"), ("neutral", "neutral")},
    "changed": {("neutral", "neutral")},
    "changed_denied": {("neutral", "neutral")},
    "nobody": {("entailment", "entailment"), ("entailment", "neutral")},
    "elsewhere": {("neutral", "neutral")},
}


def test_each_kind_has_its_relations(made):
    for kind, relations in RELATIONS.items():
        assert {pair[4:6] for pair in made if pair.construction == kind} == relations, kind


def test_a_change_to_the_other_of_two_verbs_is_no_change(language):
    scenes = Scenes(words(language), Random(3))
    clause = next(one for one in iter(lambda: single(scenes), None) if one.second)
    assert _restored(clause, clause.but(verb=clause.second, second=None))
    assert not _restored(clause, clause.but(verb=scenes.other_verb(clause.verb), second=None, place="elsewhere"))


def test_negation_is_where_it_decides(language, made):
    """One sentence of a denied pair is negative, both of *nobody*, none where the same or less is said."""
    wanted = {"denied": 1, "changed_denied": 1, "nobody": 2, "said_otherwise": 0, "says_less": 0, "changed": 0}
    for pair in made:
        if pair.construction in wanted:
            found = sum(bool(DENYING[language].search(text)) for text in (pair.premise, pair.hypothesis))
            assert found == wanted[pair.construction], pair


def test_what_says_less_has_no_word_for_something_new(language, made):
    """By another way than the construction goes: each noun of the hypothesis is in the premise, or says less."""
    vocabulary = words(language)
    wider, synonyms = {}, {}
    for noun in vocabulary.nouns:
        names = chain(noun)
        for place, name in enumerate(names):
            wider.setdefault(name, set()).update(names[place:])
    for one, other in vocabulary.synonymous_nouns:
        synonyms.setdefault(one.singular, set()).add(other.singular)
        synonyms.setdefault(other.singular, set()).add(one.singular)
    singular = {form: noun.singular for noun in vocabulary.nouns for form in (noun.plural, noun.singular)}
    groups = (vocabulary.narrower, vocabulary.synonymous_verbs, vocabulary.opposite_verbs)
    verbs = (*vocabulary.verbs, *(verb for pairs_of in groups for pair in pairs_of for verb in pair))
    said = {word for v in verbs for form in (v.base, v.progressive, v.past, *v.present) for word in cut(form)}
    said |= {word for place in vocabulary.places for word in cut(place)}
    said |= {word for a in sum(vocabulary.adjectives.values(), ()) for form in a.forms for word in cut(form)}
    said |= {word for noun in (*vocabulary.clothes, *vocabulary.accessories) for word in cut(noun.singular)}
    known = {form for form in singular if " " not in form} - said
    checked = 0
    for pair in made:
        if pair.construction != "says_less":
            continue
        mine = {singular[word] for word in cut(pair.premise) if word in known}
        mine |= {twin for noun in mine for twin in synonyms.get(noun, ())}
        allowed = mine | {name for noun in mine for name in wider.get(noun, ())}
        allowed |= {twin for noun in allowed for twin in synonyms.get(noun, ())}
        for word in cut(pair.hypothesis):
            if word in known:
                checked += 1
                assert singular[word] in allowed, (word, pair)
    assert checked > 200


SAID = {
    "en": {
        "caption": "A boy in a red hat eating an apple happily in the garden.",
        "there": "There is a boy wearing a red hat eating an apple.",
        "who": "There are two boys who are wearing red hats who are eating an apple.",
        "after": "A boy in the garden is eating an apple.",
        "simple": "A group of boys eats an apple.",
        "simple not": "The boys do not eat an apple.",
        "no pl": "There are no boys eating an apple.",
        "along": "A boy is eating an apple and the girls are eating an apple in the garden.",
    },
    "pt": {
        "caption": "Um menino de chapéu vermelho comendo uma maçã devagar no jardim.",
        "there": "Há um menino usando um chapéu vermelho comendo uma maçã.",
        "who": "Há dois meninos que estão usando chapéus vermelhos que estão comendo uma maçã.",
        "after": "Um menino no jardim está comendo uma maçã.",
        "simple": "Um grupo de meninos come uma maçã.",
        "simple not": "Os meninos não comem uma maçã.",
        "no pl": "Não há meninos comendo uma maçã.",
        "along": "Um menino está comendo uma maçã e as meninas estão comendo uma maçã no jardim.",
    },
}


def test_clauses_are_said_rightly(language):
    vocabulary = words(language)
    noun = {n.singular: n for n in (*vocabulary.nouns, *vocabulary.clothes)}
    names = ("boy", "girl", "apple", "hat") if language == "en" else ("menino", "menina", "maçã", "chapéu")
    boy, girl, apple, hat = (noun[name] for name in names)
    red = next(a for a in vocabulary.adjectives["clothes"] if a.forms[0] in ("red", "vermelho"))
    eat = next(verb for verb in vocabulary.verbs if verb.base in ("eat", "comer") and verb.of)
    garden = next(place for place in vocabulary.places if place.endswith(("the garden", "o jardim")))
    plain = Clause(Phrase(boy), eat, Phrase(apple))
    dressed = plain.by(wearing=hat, colour=red)
    simple = Frame("simple")
    girls = Clause(Phrase(girl, "the pl"), eat, Phrase(apple), place=garden)
    clauses = {
        "caption": dressed.but(style="caption", place=garden, manner={"en": "happily", "pt": "devagar"}[language]),
        "there": dressed.by(dressed="wearing").but(style="there"),
        "who": dressed.by(dressed="who", determiner="2").but(style="who"),
        "after": plain.but(style="after", place=garden),
        "simple": plain.by(determiner="group").but(frame=simple),
        "simple not": plain.by(determiner="the pl").but(frame=simple, negated=True),
        "no pl": plain.by(determiner="no pl").but(there=True),
        "along": replace(plain, along=girls),
    }
    assert {name: grammar(language).sentence(clause) for name, clause in clauses.items()} == SAID[language]


@pytest.fixture(scope="module")
def development():
    with (FOLDER / "development" / "pairs.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_development_pairs_are_many_enough_and_of_all_labels(development):
    counts = Counter((row["language"], row["label"]) for row in development)
    assert set(counts) == {(language, label) for language in LANGUAGES for label in LABELS}
    assert min(counts.values()) >= 20
    assert len({row["id"] for row in development}) == len(development) == 200


def test_no_development_sentence_is_generated(development, made):
    theirs = {" ".join(cut(row[side])) for row in development for side in ("premise", "hypothesis")}
    mine = {" ".join(cut(text)) for pair in made for text in (pair.premise, pair.hypothesis)}
    assert not theirs & mine
