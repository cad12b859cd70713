"""Pairs by the meaning of words: synonyms, opposites, unrelated words."""

from __future__ import annotations

from workshop.nli_generator.clause import Clause, Phrase
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.weakening import CONTRADICTION, ENTAILMENT, NEUTRAL, Case
from workshop.nli_generator.words import NO_VERB, Noun

_E, _C, _N = ENTAILMENT, CONTRADICTION, NEUTRAL


def synonym(scenes: Scenes) -> Case:
    """A synonym."""
    if scenes.chance.random() < 0.5:
        verb, other = scenes.chance.sample(scenes.chance.choice(scenes.words.synonymous_verbs), 2)
        clause = scenes.clause(verb=verb)
        same = clause.but(verb=other)
    else:
        noun, twin = scenes.chance.sample(scenes.chance.choice(scenes.words.synonymous_nouns), 2)
        clause = scenes.clause()
        while noun.kind not in clause.verb.by + clause.verb.of:
            clause = scenes.clause()
        clause, same = _with_noun(clause, noun), _with_noun(clause, twin)
    clause, same = clause.by(determiner="the"), same.by(determiner="the")
    return scenes.chance.choice(
        (
            Case(clause, same, _E, _E),
            Case(clause.but(negated=True), same.but(negated=True), _E, _E),
            Case(clause, same.but(negated=True), _C, _C),
            Case(clause.but(negated=True), same, _C, _C),
        )
    )


def opposite_verb(scenes: Scenes) -> Case:
    """Verbs that exclude each other: doing one is not doing the other."""
    verb, other = scenes.chance.sample(scenes.chance.choice(scenes.words.opposite_verbs), 2)
    clause = scenes.clause(verb=verb, progressive=True).by(determiner="the")
    clause = clause.to(determiner="the") if clause.object else clause
    return _opposites(clause, clause.but(verb=other), scenes)


def opposite_quality(scenes: Scenes) -> Case:
    """Adjectives that exclude each other: being one is not being the other."""
    kind, *pair = scenes.chance.choice(scenes.words.opposite_adjectives)
    one, other = scenes.chance.sample(pair, 2)
    determiner = scenes.chance.choice(("the", "the pl"))
    subject = Phrase(scenes.noun((kind,)), determiner)
    if kind not in ("person", "animal") and scenes.chance.random() < 0.3:
        subject = Phrase(subject.noun, determiner, scenes.adjective(subject.noun, (one, other)))
    clause = Clause(subject, NO_VERB, quality=one, frame=scenes.frame())
    return _opposites(clause, clause.but(quality=other), scenes)


def another_thing(scenes: Scenes) -> Case:
    """Another subject, verb or object: true or not."""
    clause = scenes.decorated(scenes.clause())
    changes = [_another_subject, _another_verb, *([_another_object] if clause.object else [])]
    other = scenes.chance.choice(changes)(clause, scenes)
    return Case(_quantified(clause, scenes), _quantified(other, scenes), _N, _N)


def unrelated(scenes: Scenes) -> Case:
    """Two unrelated sentences."""
    one, other = scenes.decorated(scenes.clause()), scenes.decorated(scenes.clause())
    while other.verb == one.verb or other.subject.noun == one.subject.noun:
        other = scenes.decorated(scenes.clause())
    return Case(_quantified(one, scenes), _quantified(other.but(frame=one.frame), scenes), _N, _N)


def _opposites(one: Clause, other: Clause, scenes: Scenes) -> Case:
    return scenes.chance.choice(
        (
            Case(one, other, _C, _C),
            Case(one, other, _C, _C),
            Case(one, other.but(negated=True), _E, _N),
            Case(one, other.but(negated=True), _E, _N),
            Case(one.but(negated=True), other.but(negated=True), _N, _N),
            Case(one, one.but(negated=True), _C, _C),
        )
    )


def _with_noun(clause: Clause, noun: Noun) -> Clause:
    return clause.by(noun=noun) if noun.kind in clause.verb.by else clause.to(noun=noun)


def _another_subject(clause: Clause, scenes: Scenes) -> Clause:
    objects = [clause.object.noun] if clause.object else []
    return clause.by(noun=scenes.other_noun(clause.subject.noun, clause.verb.by, objects))


def _another_verb(clause: Clause, scenes: Scenes) -> Clause:
    return clause.but(verb=scenes.other_verb(clause.verb))


def _another_object(clause: Clause, scenes: Scenes) -> Clause:
    assert clause.object is not None
    subject, thing = clause.subject.noun, clause.object.noun
    return clause.to(noun=scenes.other_noun(thing, (thing.kind,), [subject]))


def _quantified(clause: Clause, scenes: Scenes) -> Clause:
    """Any determiner, or a negation: neither makes what is unrelated related."""
    determiner = scenes.chance.choice(("a", "a", "the", "the", "no", "some", "2", "all"))
    negated = determiner == "the" and scenes.chance.random() < 0.4
    return clause.by(determiner=determiner).but(negated=negated)
