"""Everyday pairs: what they say, what follows from what, and that evaluation pairs share nothing with them."""

import re
from collections import Counter
from random import Random

import pytest

from tests.workshop.conftest import LANGUAGES, cut, rows
from workshop.nli_generator.everyday.cases import EVERYDAY, _restored
from workshop.nli_generator.everyday.drawn import single
from workshop.nli_generator.everyday.generate import pairs
from workshop.nli_generator.everyday.nouns import chain
from workshop.nli_generator.generate import LABELS
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.words import FOLDER, words

N = 2_000
DENYING = {"en": r"\b(not|no|nobody)\b", "pt": r"\b(não|nenhum|nenhuma|ninguém)\b"}


@pytest.fixture(scope="module")
def made(language):
    return pairs(language, N, seed=1)


def test_the_same_seed_gives_the_same_pairs_each_once_of_all_kinds_with_their_relations(language, made):
    assert pairs(language, 200, seed=1) == made[:200] != pairs(language, 200, seed=2)
    assert len({frozenset(pair[2:4]) for pair in made}) == N
    assert set(Counter(pair.construction for pair in made)) == set(EVERYDAY)
    labels = Counter(pair.forward for pair in made)
    assert min(labels[label] for label in LABELS) > N * 0.15
    for kind, relations in RELATIONS.items():
        assert {pair[4:6] for pair in made if pair.construction == kind} == relations, kind


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


def test_negation_is_where_it_decides_and_a_change_to_the_other_of_two_verbs_is_no_change(language, made):
    """One sentence of a denied pair is negative, both of *nobody*, none where the same or less is said."""
    wanted = {"denied": 1, "changed_denied": 1, "nobody": 2, "said_otherwise": 0, "says_less": 0, "changed": 0}
    for pair in made:
        if pair.construction in wanted:
            found = sum(bool(re.search(DENYING[language], text, re.I)) for text in (pair.premise, pair.hypothesis))
            assert found == wanted[pair.construction], pair
    scenes = Scenes(words(language), Random(3))
    clause = next(one for one in iter(lambda: single(scenes), None) if one.second)
    assert _restored(clause, clause.but(verb=clause.second, second=None))
    assert not _restored(clause, clause.but(verb=scenes.other_verb(clause.verb), second=None, place="elsewhere"))


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
    for pair in (one for one in made if one.construction == "says_less"):
        mine = {singular[word] for word in cut(pair.premise) if word in known}
        mine |= {twin for noun in mine for twin in synonyms.get(noun, ())}
        allowed = mine | {name for noun in mine for name in wider.get(noun, ())}
        allowed |= {twin for noun in allowed for twin in synonyms.get(noun, ())}
        for word in cut(pair.hypothesis):
            if word in known:
                checked += 1
                assert singular[word] in allowed, (word, pair)
    assert checked > 200


@pytest.fixture(scope="module")
def development():
    return rows(FOLDER / "development" / "pairs.tsv")


def test_the_development_pairs_are_many_enough_of_all_labels_and_none_is_generated(development, made):
    counts = Counter((row["language"], row["label"]) for row in development)
    assert set(counts) == {(language, label) for language in LANGUAGES for label in LABELS}
    assert min(counts.values()) >= 20
    assert len({row["id"] for row in development}) == len(development) == 200
    theirs = {" ".join(cut(row[side])) for row in development for side in ("premise", "hypothesis")}
    mine = {" ".join(cut(text)) for pair in made for text in (pair.premise, pair.hypothesis)}
    assert not theirs & mine
