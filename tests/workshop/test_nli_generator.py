"""Generated pairs: they say what their construction says, and evaluation pairs share nothing with training."""

import hashlib
import re
from collections import Counter, defaultdict
from dataclasses import replace

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.training.corpus import normal, pieces
from tests.conftest import SHARED
from tests.workshop.conftest import LANGUAGES, cut, rows
from workshop.evaluation_sets import benchmark_strings
from workshop.nli_generator import CONSTRUCTIONS, evaluation_pairs, pairs
from workshop.nli_generator.__main__ import HELD_OUT
from workshop.nli_generator.clause import Clause, Frame, Phrase
from workshop.nli_generator.generate import EVALUATION_PAIRS, LABELS, Generated
from workshop.nli_generator.grammar import grammar
from workshop.nli_generator.words import words

N = 1_000


@pytest.fixture(scope="module")
def training(language):
    return pairs(language, N, seed=1)


@pytest.fixture(scope="module")
def held_out():
    return rows(HELD_OUT)


def content(vocabulary):
    """Every form of every open-class word."""
    nouns = [*vocabulary.nouns, *vocabulary.accessories, *sum(vocabulary.synonymous_nouns, ())]
    nouns += [noun.says_less for noun in nouns if noun.says_less]
    pairs_of_verbs = (*vocabulary.narrower, *vocabulary.synonymous_verbs, *vocabulary.opposite_verbs)
    verbs = [*vocabulary.verbs, *sum(pairs_of_verbs, ())]
    opposite = [a for _, *two in vocabulary.opposite_adjectives for a in two]
    adjectives = [*sum(vocabulary.adjectives.values(), ()), *opposite]
    forms = [form for noun in nouns for form in (noun.singular, noun.plural)]
    forms += [form for v in verbs for form in (v.base, v.progressive, v.past, v.past_plural, v.participle)]
    forms += [form for adjective in adjectives for form in adjective.forms]
    found = {word for form in forms for word in cut(form)} - {"de"}  # participles agree in Portuguese
    return found | {form[:-1] + end for form in found if form.endswith("o") for end in ("a", "os", "as")}


def test_the_same_seed_gives_the_same_pairs_each_once_and_constructions_and_labels_equally_often(language, training):
    assert pairs(language, 200, seed=1) == training[:200] != pairs(language, 200, seed=2)
    labels = Counter(pair.forward for pair in training)
    assert set(labels) == set(LABELS)
    assert max(labels.values()) - min(labels.values()) <= 20
    by_construction = Counter(pair.construction for pair in training)
    assert set(by_construction) == set(CONSTRUCTIONS)
    assert len(CONSTRUCTIONS) >= 12
    assert max(by_construction.values()) < 2.5 * min(by_construction.values())
    assert len({frozenset(pair[2:4]) for pair in training}) == N
    for pair in training:
        assert (pair.forward == "contradiction") == (pair.reverse == "contradiction"), pair


SAID = {
    "en": {
        "plain": "A boy is eating an apple in the garden.",
        "past": "The boys did not eat an apple.",
        "there": "In the garden, there is a boy eating an apple.",
        "denied": "It is not true that the boy will eat an apple.",
        "caption": "A boy in a red hat eating an apple happily in the garden.",
        "wearing": "There is a boy wearing a red hat eating an apple.",
        "who": "There are two boys who are wearing red hats who are eating an apple.",
        "after": "A boy in the garden is eating an apple.",
        "simple": "A group of boys eats an apple.",
        "simple not": "The boys do not eat an apple.",
        "no pl": "There are no boys eating an apple.",
        "along": "A boy is eating an apple and the girls are eating an apple in the garden.",
    },
    "pt": {
        "plain": "Um menino está comendo uma maçã no jardim.",
        "past": "Os meninos não comeram uma maçã.",
        "there": "No jardim, há um menino comendo uma maçã.",
        "denied": "Não é verdade que o menino vai comer uma maçã.",
        "caption": "Um menino de chapéu vermelho comendo uma maçã devagar no jardim.",
        "wearing": "Há um menino usando um chapéu vermelho comendo uma maçã.",
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
    names = {"en": "boy girl apple hat", "pt": "menino menina maçã chapéu"}[language]
    boy, girl, apple, hat = (noun[name] for name in names.split())
    red = next(a for a in vocabulary.adjectives["clothes"] if a.forms[0] in ("red", "vermelho"))
    eat = next(verb for verb in vocabulary.verbs if verb.base in ("eat", "comer") and verb.of)
    garden = next(place for place in vocabulary.places if place.endswith(("the garden", "o jardim")))
    plain = Clause(Phrase(boy), eat, Phrase(apple))
    the, dressed = plain.by(determiner="the"), plain.by(wearing=hat, colour=red)
    girls = Clause(Phrase(girl, "the pl"), eat, Phrase(apple), place=garden)
    manner = {"en": "happily", "pt": "devagar"}[language]
    clauses = {
        "plain": plain.but(place=garden),
        "past": plain.by(determiner="the pl").but(negated=True, frame=Frame("past")),
        "there": plain.but(place=garden, there=True, frame=Frame(fronted=True)),
        "denied": the.but(denied=True, frame=Frame("future")),
        "caption": dressed.but(style="caption", place=garden, manner=manner),
        "wearing": dressed.by(dressed="wearing").but(style="there"),
        "who": dressed.by(dressed="who", determiner="2").but(style="who"),
        "after": plain.but(style="after", place=garden),
        "simple": plain.by(determiner="group").but(frame=Frame("simple")),
        "simple not": plain.by(determiner="the pl").but(frame=Frame("simple"), negated=True),
        "no pl": plain.by(determiner="no pl").but(there=True),
        "along": replace(plain, along=girls),
    }
    assert {name: grammar(language).sentence(clause) for name, clause in clauses.items()} == SAID[language]


def test_portuguese_determiners_agree_prepositions_contract_and_english_articles_fit_what_follows():
    for pair in pairs("pt", 600, seed=3):
        for text in (pair.premise, pair.hypothesis):
            assert not re.search(r"\b(de|em|por) [oa]s?\b", text), text
            assert not re.search(r"\bum \w+a a\b|\bnenhum \w+ão\b.*\bnenhuma \w+ão\b", text), text
            assert re.fullmatch(r"[^\W\d_].*\.", text), text
    text = " ".join(pair.premise for pair in pairs("en", 800, seed=3))
    assert not re.search(r"\b[Aa] [aeio]", text)
    assert not re.search(r"\b[Aa]n [^aeiou]", text)


# What holds of sentences alone is checked again here, by another way than the constructions go.


def test_plain_negations_contradict_and_dropping_an_adjective_turns_with_the_quantifier():
    """A tall man: a man; no man: no tall man; all men: all tall men."""
    found = 0
    for pair in pairs("en", N, seed=4):
        for one, other in (pair[2:4], pair[3:1:-1]):
            if re.sub(r"\b(is|are|was|were|will) not\b", r"\1", one) == other:
                found += 1
                assert pair.forward == "contradiction"
    assert found > 10
    seen = defaultdict(set)
    for pair in pairs("en", N, seed=5, constructions=("adjective",)):
        first = cut(pair.premise)[0] if pair.premise[0] in "ANE" else ""
        same = cut(pair.hypothesis)[0] == first
        if first in ("a", "an", "no", "all", "every") and (same or first in ("a", "an")):
            longer = len(cut(pair.premise)) > len(cut(pair.hypothesis))
            if cut(pair.hypothesis)[0] in (first, "a", "an"):
                seen["up" if first in ("a", "an") else "down", longer].add(pair.forward)
    assert seen["up", True] == {"entailment"}
    assert seen["up", False] == {"neutral"}
    assert seen["down", True] == {"neutral"}
    assert seen["down", False] == {"entailment"}


def test_the_evaluation_pairs_are_those_whose_sum_is_on_record(held_out):
    record = (ROOT / "data" / "README.md").read_text("utf-8")
    assert hashlib.sha256(HELD_OUT.read_bytes()).hexdigest() in record
    made = evaluation_pairs()
    fields = ("language", "construction", "premise", "hypothesis", "label", "reverse_label")
    assert [Generated(*(row[field] for field in fields)) for row in held_out] == made
    assert Counter(pair.language for pair in made) == dict.fromkeys(LANGUAGES, EVALUATION_PAIRS)
    assert EVALUATION_PAIRS >= 1_000


def test_no_content_word_and_no_frame_of_the_evaluation_is_in_training(language, training, held_out):
    """A frame is a sentence whose content words are all the same."""
    train, held = content(words(language)), content(words(language, held_out=True))
    assert len(held) > 250
    assert not train & held
    places = [set(cut(" ".join(words(language, held_out=other).places))) for other in (False, True)]
    assert all(len(word) <= 3 for word in places[0] & places[1])

    def frame(text, open_words):
        return " ".join("_" if word in open_words else word for word in cut(text))

    known = {frame(text, train | places[0]) for pair in training for text in (pair.premise, pair.hypothesis)}
    rows = [row for row in held_out if row["language"] == language]
    new = {frame(row[side], held | places[1]) for row in rows for side in ("premise", "hypothesis")}
    assert not known & new
    both = [words(language), words(language, held_out=True)]
    assert sum(len({noun.singular for noun in one.nouns}) for one in both) >= 150
    assert sum(len({verb.base for verb in one.verbs}) for one in both) >= 90
    described = ({a for group in one.adjectives.values() for a in group} for one in both)
    opposed = ({a for _, *two in one.opposite_adjectives for a in two} for one in both)
    assert sum(len(one | other) for one, other in zip(described, opposed, strict=True)) >= 60


@pytest.fixture(scope="module")
def published():
    """Every sentence of the public sets of inference, without case and marks."""
    folders = [SHARED / "data" / name for name in ("sick", "sick_br", "assin", "snli_mnli_dev")]
    if absent := [folder.name for folder in folders if not folder.is_dir()]:
        pytest.skip(f"the public data set '{absent[0]}' is not here (under PAIRLENS_PUBLIC_DATA)")
    strings = [text for folder in folders for text in benchmark_strings(folder)]
    assert "A man is playing a guitar" in {piece for text in strings for piece in pieces(text)}
    return strings


@pytest.mark.soak
@pytest.mark.model
def test_no_sentence_is_one_of_a_public_benchmark(published, held_out, monkeypatch):
    """Neither in evaluation pairs nor in what a bundled head is trained on, where the benchmarks are at hand."""
    from workshop.heads import recipes  # which imports torch

    theirs = {normal(piece) for text in published for piece in pieces(text)}
    assert not theirs & {normal(row[side]) for row in held_out for side in ("premise", "hypothesis")}
    monkeypatch.setattr(recipes, "benchmark_strings", lambda _: published)
    unfiltered = recipes.entailment_examples(2_000, LANGUAGES, None)
    trained_on = recipes.entailment_examples(2_000, LANGUAGES, SHARED)
    assert 0 < len(unfiltered) - len(trained_on) < 100
    assert not theirs & {normal(text) for example in trained_on for text in example[:2]}
