"""Pairs with coordination: of subjects, of objects, of verbs."""

from __future__ import annotations

from workshop.nli_generator.clause import Phrase
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.weakening import CONTRADICTION, ENTAILMENT, NEUTRAL, Case

_E, _C, _N = ENTAILMENT, CONTRADICTION, NEUTRAL


def joined_subjects(scenes: Scenes) -> Case:
    """Two do it: each of them does."""
    clause = scenes.clause()
    determiner = scenes.chance.choice(("a", "the", "the"))
    one, kinds = clause.subject.noun, clause.verb.by
    objects = (clause.object.noun,) if clause.object else ()
    two = scenes.other_noun(one, kinds, objects)
    both = clause.but(subject=Phrase(one, determiner, also=Phrase(two, determiner)))
    turned = clause.but(subject=Phrase(two, determiner, also=Phrase(one, determiner)))
    alone = clause.by(noun=scenes.chance.choice((one, two)), determiner=determiner)
    stranger = alone.by(noun=scenes.other_noun(one, kinds, (two, *objects)))
    without = alone.by(determiner="no") if determiner == "a" else alone.but(negated=True)
    return scenes.chance.choice(
        (
            Case(both, alone, _E, _N),
            Case(both, alone, _E, _N),
            Case(both, turned, _E, _E),
            Case(both, without, _C, _C),
            Case(both, without, _C, _C),
            Case(both, stranger, _N, _N),
        )
    )


def joined_verbs(scenes: Scenes) -> Case:
    """Somebody does two things: they do each of them."""
    clause = scenes.clause(transitive=False, place=0).by(determiner="the")
    clause = clause.by(adjective=scenes.adjective(clause.subject.noun)) if scenes.chance.random() < 0.3 else clause
    second = scenes.other_verb(clause.verb)
    third = scenes.other_verb(clause.verb)
    both, turned = clause.but(second=second), clause.but(verb=second, second=clause.verb)
    alone = clause.but(verb=scenes.chance.choice((clause.verb, second)))
    cases = [
        Case(both, alone, _E, _N),
        Case(both, alone, _E, _N),
        Case(both, turned, _E, _E),
        Case(both, alone.but(negated=True), _C, _C),
        Case(both, alone.but(negated=True), _C, _C),
    ]
    if third != second and not _exclude(scenes, second.base, third.base):
        cases.append(Case(both, clause.but(verb=third, negated=scenes.chance.random() < 0.5), _N, _N))
    return scenes.chance.choice(cases)


def joined_objects(scenes: Scenes) -> Case:
    """Both, one or the other, neither of two things."""
    clause = scenes.clause(transitive=True).by(determiner="the")
    assert clause.object is not None
    one, kinds = clause.object.noun, (clause.object.noun.kind,)
    two = scenes.other_noun(one, kinds, [clause.subject.noun])
    three = scenes.other_noun(one, kinds, [clause.subject.noun, two])
    linked = {link: clause.but(object=Phrase(one, also=Phrase(two), link=link)) for link in ("and", "or", "nor")}
    alone = clause.to(noun=scenes.chance.choice((one, two)))
    stranger = clause.to(noun=three)
    return scenes.chance.choice(
        (
            Case(linked["and"], alone, _E, _N),
            Case(alone, linked["or"], _E, _N),
            Case(linked["nor"], alone.but(negated=True), _E, _N),
            Case(linked["and"], linked["or"], _E, _N),
            Case(linked["nor"], alone, _C, _C),
            Case(linked["and"], alone.but(negated=True), _C, _C),
            Case(linked["nor"], linked["and"], _C, _C),
            Case(linked[scenes.chance.choice(("and", "or", "nor"))], stranger, _N, _N),
            Case(linked[scenes.chance.choice(("and", "or", "nor"))], stranger.but(negated=True), _N, _N),
        )
    )


def _exclude(scenes: Scenes, one: str, other: str) -> bool:
    return any({one, other} == {pair[0].base, pair[1].base} for pair in scenes.words.opposite_verbs)
