"""Pairs by negation, quantifiers, numbers and the passive: both sentences have the same content words."""

from __future__ import annotations

from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.weakening import CONTRADICTION, ENTAILMENT, NEUTRAL, Case

_E, _C, _N = ENTAILMENT, CONTRADICTION, NEUTRAL
_QUANTIFIERS = (
    ("all", "some", _E, _N), ("all", "most", _E, _N), ("most", "some", _E, _N), ("many", "some", _E, _N),
    ("no", "not all", _E, _N), ("some", "not all", _N, _N), ("most", "not all", _N, _N), ("many", "not all", _N, _N),
    ("all", "no", _C, _C), ("all", "not all", _C, _C), ("some", "no", _C, _C), ("most", "no", _C, _C),
    ("every", "no", _C, _C), ("every", "some", _E, _N), ("every", "not all", _C, _C), ("many", "no", _C, _C),
)  # fmt: skip
"""For one noun, which denotes something, and one predicate: the square of opposition, *most* and *many*."""


def negation(scenes: Scenes) -> Case:
    """The clause and its negation, also as *it is not true that*."""
    clause = scenes.decorated(scenes.clause())
    if scenes.chance.random() < 0.5:
        clause = clause.by(determiner="the")
        plain, negated = clause, clause.but(negated=True)
    else:
        plain, negated = clause, clause.by(determiner="no")
    denied = plain.but(denied=True)
    return scenes.chance.choice(
        (
            Case(plain, negated, _C, _C),
            Case(plain, denied, _C, _C),
            Case(denied, negated, _E, _E),
            Case(plain.but(affirmed=True), plain, _E, _E),
            Case(negated.but(denied=True), plain, _E, _E),
        )
    )


def existential(scenes: Scenes) -> Case:
    """There is somebody doing it: somebody does it."""
    clause = scenes.decorated(scenes.clause(progressive=True))
    there = clause.but(there=True)
    none, none_there = clause.by(determiner="no"), there.by(determiner="no")
    other = there.but(verb=scenes.other_verb(clause.verb))
    return scenes.chance.choice(
        (
            Case(clause, there, _E, _E),
            Case(none, none_there, _E, _E),
            Case(clause, none_there, _C, _C),
            Case(none, there, _C, _C),
            Case(clause, other, _N, _N),
            Case(none, other, _N, _N),
        )
    )


def quantifier(scenes: Scenes) -> Case:
    """All and some, no and not all, of the same things."""
    clause = scenes.decorated(scenes.clause())
    one, other, forward, reverse = scenes.chance.choice(_QUANTIFIERS)
    return Case(clause.by(determiner=one), clause.by(determiner=other), forward, reverse)


def number(scenes: Scenes) -> Case:
    """Numbers, exact and compared."""
    clause = scenes.decorated(scenes.clause())
    n = scenes.chance.randint(3, 5)
    more = n + scenes.chance.randint(1, 3)
    one, other, forward, reverse = scenes.chance.choice(
        (
            (f"{more}", f"at least {n}", _E, _N),
            (f"at least {more}", f"at least {n}", _E, _N),
            (f"at least {more}", f"more than {n - 1}", _E, _N),
            (f"exactly {n}", f"fewer than {more}", _E, _N),
            (f"exactly {more}", f"more than {n - 1}", _E, _N),
            (f"{more}", "some", _E, _N),
            (f"exactly {n}", f"exactly {more}", _C, _C),
            (f"exactly {n}", f"at least {more}", _C, _C),
            (f"fewer than {n}", f"exactly {more}", _C, _C),
            (f"at least {n}", "no", _C, _C),
            (f"exactly {n}", "no", _C, _C),
            (f"at least {n}", f"fewer than {more}", _N, _N),
            (f"fewer than {more}", f"more than {n - 1}", _N, _N),
        )
    )
    return Case(clause.by(determiner=one), clause.by(determiner=other), forward, reverse)


def passive(scenes: Scenes) -> Case:
    """The same in the passive, with or without saying by whom."""
    clause = scenes.decorated(scenes.clause(transitive=True)).by(determiner="the").to(determiner="the")
    if scenes.chance.random() < 0.3:
        clause = clause.to(determiner="a").by(determiner="a")
    turned = clause.but(passive=True)
    agentless = turned.but(agentless=True)
    some = clause.to(determiner="a")
    other = some.but(verb=scenes.other_verb(clause.verb), passive=True)
    cases = [Case(clause, turned, _E, _E), Case(clause, agentless, _E, _N), Case(some, other, _N, _N)]
    if clause.subject.determiner == "the":
        no, no_turned = clause.but(negated=True), turned.but(negated=True)
        cases += [
            Case(no, no_turned, _E, _E),
            Case(clause, no_turned, _C, _C),
            Case(no, turned, _C, _C),
            Case(clause, agentless.but(negated=True), _C, _C),
        ]
    return scenes.chance.choice(cases)


def role_swap(scenes: Scenes) -> Case:
    """Who does it to whom."""
    clause = scenes.clause(animate_object=True).by(determiner="the").to(determiner="the")
    assert clause.object is not None
    swapped = clause.but(subject=clause.object, object=clause.subject)
    turned = clause.but(passive=True)
    return scenes.chance.choice(
        (
            Case(clause, swapped, _N, _N),
            Case(clause, swapped.but(passive=True), _N, _N),
            Case(clause, swapped.but(negated=True), _N, _N),
            Case(clause, turned, _E, _E),
            Case(swapped.but(negated=True), swapped.but(negated=True, passive=True), _E, _E),
            Case(clause, turned.but(negated=True), _C, _C),
            Case(clause.but(negated=True), turned, _C, _C),
        )
    )
