"""Edits that weaken a clause, and the quantifiers that keep or reverse the direction of entailment.

With a determiner that is upward monotone in the place of the edit, the clause entails the edited one; where it is
downward monotone, the edited one entails the clause; elsewhere neither entails the other (Barwise & Cooper 1981,
"Generalized quantifiers and natural language").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from workshop.nli_generator.clause import Clause
from workshop.nli_generator.scenes import Scenes

ENTAILMENT, CONTRADICTION, NEUTRAL = "entailment", "contradiction", "neutral"


class Case(NamedTuple):
    """Two clauses, and the relation of the first to the second and of the second to the first."""

    premise: Clause
    hypothesis: Clause
    forward: str
    reverse: str


class Edit(NamedTuple):
    """A clause and a weaker one; `in_subject` if they differ in the subject's noun phrase."""

    strong: Clause
    weak: Clause
    in_subject: bool


Weakening = Callable[[Scenes], Edit]

_UP = {True: ("a", "the", "some", "2", "3", "at least 2", "at least 3", "many"), False: ("a", "the", "the pl", "all",
       "some", "every", "3", "at least 2", "most")}  # fmt: skip
_DOWN = {True: ("no", "all", "every", "no"), False: ("no", "not all", "no", "fewer than 3")}
_NEITHER = {True: ("exactly 2", "exactly 3", "most"), False: ("exactly 2", "exactly 3")}


def adjective(scenes: Scenes) -> Edit:
    """A tall man sings: a man sings."""
    weak = scenes.clause()
    return Edit(weak.by(adjective=scenes.adjective(weak.subject.noun)), weak, True)


def accessory(scenes: Scenes) -> Edit:
    """A man with a hat sings: a man sings."""
    weak = scenes.clause()
    while weak.subject.noun.kind != "person":
        weak = scenes.clause()
    return Edit(weak.by(having=scenes.chance.choice(scenes.words.accessories)), weak, True)


def hypernym(scenes: Scenes) -> Edit:
    """A poodle sleeps: a dog sleeps."""
    strong = scenes.clause()
    while strong.subject.noun.says_less is None or not _differs_from_object(strong):
        strong = scenes.clause()
    return Edit(strong, strong.by(noun=strong.subject.noun.says_less), True)


def object_adjective(scenes: Scenes) -> Edit:
    """She buys a red car: she buys a car."""
    weak = scenes.clause(transitive=True)
    assert weak.object is not None
    return Edit(weak.to(adjective=scenes.adjective(weak.object.noun)), weak, False)


def object_hypernym(scenes: Scenes) -> Edit:
    """She buys a pear: she buys a fruit."""
    strong = scenes.clause(transitive=True)
    while (
        strong.object is None
        or strong.object.noun.says_less is None
        or strong.object.noun.kind == strong.subject.noun.kind
    ):
        strong = scenes.clause(transitive=True)
    return Edit(strong, strong.to(noun=strong.object.noun.says_less), False)


def verb_hypernym(scenes: Scenes) -> Edit:
    """She strolls: she walks."""
    narrow, wide = scenes.chance.choice(scenes.words.narrower)
    strong = scenes.clause(verb=narrow)
    return Edit(strong, strong.but(verb=wide), False)


def place(scenes: Scenes) -> Edit:
    """She sings in the park: she sings."""
    strong = scenes.clause(place=1.0)
    return Edit(strong, without_place(strong), False)


def kept(edit: Edit, scenes: Scenes) -> Case:
    """Under a quantifier that keeps the direction."""
    determiner = scenes.chance.choice(_UP[edit.in_subject])
    return _case(edit, determiner, determiner, ENTAILMENT, NEUTRAL)


def turned(edit: Edit, scenes: Scenes) -> Case:
    """Under a quantifier that reverses the direction, or under *not*."""
    if not edit.in_subject and scenes.chance.random() < 0.4:
        return _case(Edit(_negated(edit.strong), _negated(edit.weak), False), "the", "the", NEUTRAL, ENTAILMENT)
    determiner = scenes.chance.choice(_DOWN[edit.in_subject])
    return _case(edit, determiner, determiner, NEUTRAL, ENTAILMENT)


def opposed(edit: Edit, scenes: Scenes) -> Case:
    """The clause, and that not even the weaker one is true."""
    if not edit.in_subject and scenes.chance.random() < 0.5:
        return _case(Edit(edit.strong, _negated(edit.weak), False), "the", "the", CONTRADICTION, CONTRADICTION)
    some = scenes.chance.choice(("a", "some", "2", "at least 3", "a"))
    return _case(edit, some, "no", CONTRADICTION, CONTRADICTION)


def compatible(edit: Edit, scenes: Scenes) -> Case:
    """The weaker clause, and that the clause is not true; or both under a quantifier with no direction."""
    if scenes.chance.random() < 0.2:
        determiner = scenes.chance.choice(_NEITHER[edit.in_subject])
        return _case(edit, determiner, determiner, NEUTRAL, NEUTRAL)
    if not edit.in_subject and scenes.chance.random() < 0.5:
        return _case(Edit(_negated(edit.strong), edit.weak, False), "the", "the", NEUTRAL, NEUTRAL)
    some = scenes.chance.choice(("a", "some", "2", "at least 3", "a"))
    return _case(edit, "no", some, NEUTRAL, NEUTRAL)


def _case(edit: Edit, strong: str, weak: str, forward: str, reverse: str) -> Case:
    return Case(edit.strong.by(determiner=strong), edit.weak.by(determiner=weak), forward, reverse)


def _negated(clause: Clause) -> Clause:
    return clause.but(negated=True)


def without_place(clause: Clause) -> Clause:
    """The clause without its place."""
    return clause.but(place="", frame=replace(clause.frame, fronted=False))


def _differs_from_object(clause: Clause) -> bool:
    less, object = clause.subject.noun.says_less, clause.object
    return object is None or less is None or less.kind != object.noun.kind
