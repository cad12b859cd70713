"""Edits after which a clause says something else (`CHANGES`), or more (`ADDITIONS`); None where it cannot."""

from __future__ import annotations

from workshop.nli_generator.clause import Clause
from workshop.nli_generator.everyday import drawn
from workshop.nli_generator.everyday.drawn import dressed
from workshop.nli_generator.everyday.nouns import unlike
from workshop.nli_generator.everyday.weaker import Edit
from workshop.nli_generator.scenes import Scenes

_OTHER_NUMBER = {"2": "3", "3": "2", "a": "2"}


def applied(edits: tuple[Edit, ...], clause: Clause, scenes: Scenes) -> Clause | None:
    """The clause after one of the edits, if one can be made."""
    for edit in scenes.chance.sample(edits, len(edits)):
        edited = edit(clause, scenes)
        if edited is not None:
            return edited
    return None


def other_subject(clause: Clause, scenes: Scenes) -> Clause | None:
    """Somebody else does it."""
    noun = clause.subject.noun
    if clause.subject.also or clause.agentless or clause.subject.determiner == "pronoun":
        return None
    other = unlike(noun, clause.verb.by, clause, scenes)
    if other is None:
        return None
    adjective = clause.subject.adjective
    fitting = adjective if adjective in scenes.words.adjectives.get(other.kind, ()) else None
    bare = {} if other.kind == "person" else {"wearing": None, "colour": None, "having": None}
    return clause.by(noun=other, adjective=fitting, **bare)


def other_object(clause: Clause, scenes: Scenes) -> Clause | None:
    """They do it to something else."""
    if clause.object is None:
        return None
    other = unlike(clause.object.noun, (clause.object.noun.kind,), clause, scenes)
    return None if other is None else clause.to(noun=other)


def other_verb(clause: Clause, scenes: Scenes) -> Clause | None:
    """They do something else that they may do at the same time."""
    try:
        other = scenes.other_verb(clause.verb)
    except IndexError:
        return None
    passive = clause.passive and " " not in other.base
    if clause.agentless and not passive:
        return None
    return clause.but(verb=other, second=None, passive=passive)


def other_place(clause: Clause, scenes: Scenes) -> Clause | None:
    """They do it somewhere else, too."""
    if not clause.place:
        return None
    wider = scenes.words.wider_places.get(clause.place)
    places = [
        place for place in scenes.words.places
        if place != clause.place and scenes.words.wider_places.get(place) == wider
    ]  # fmt: skip
    return clause.but(place=scenes.chance.choice(places)) if places else None


def other_adjective(clause: Clause, scenes: Scenes) -> Clause | None:
    """Of another kind."""
    adjective = clause.subject.adjective
    if adjective is None:
        return None
    like = {adjective} | {a for pair in scenes.words.like_adjectives if adjective in pair for a in pair}
    return clause.by(adjective=scenes.adjective(clause.subject.noun, tuple(like)))


def other_number(clause: Clause, _: Scenes) -> Clause | None:
    """Three instead of two."""
    number = _OTHER_NUMBER.get(clause.subject.determiner)
    return None if number is None or clause.subject.also or clause.agentless else clause.by(determiner=number)


def roles_swapped(clause: Clause, _: Scenes) -> Clause | None:
    """The other one does it."""
    subject, object = clause.subject, clause.object
    if object is None or subject.also or clause.agentless or subject.determiner == "pronoun":
        return None
    if object.noun.kind not in clause.verb.by or subject.noun.kind not in clause.verb.of:
        return None
    return clause.but(subject=object, object=subject)


def adjective(clause: Clause, scenes: Scenes) -> Clause | None:
    """A man: a tall man."""
    if clause.subject.adjective or clause.agentless or clause.subject.determiner == "pronoun":
        return None
    return clause.by(adjective=scenes.adjective(clause.subject.noun))


def object_adjective(clause: Clause, scenes: Scenes) -> Clause | None:
    """A car: a red car."""
    if clause.object is None or clause.object.adjective:
        return None
    return clause.to(adjective=scenes.adjective(clause.object.noun))


def clothes(clause: Clause, scenes: Scenes) -> Clause | None:
    """A man: a man in a hat."""
    subject = clause.subject
    if subject.noun.kind != "person" or subject.wearing or subject.determiner == "pronoun" or clause.agentless:
        return None
    return clause.but(subject=dressed(subject, scenes))


def place(clause: Clause, scenes: Scenes) -> Clause | None:
    """Somewhere."""
    return None if clause.place else clause.but(place=scenes.chance.choice(scenes.words.places))


def manner(clause: Clause, scenes: Scenes) -> Clause | None:
    """In some way."""
    return None if clause.manner or clause.along else clause.but(manner=drawn.manner(scenes))


def one_more_verb(clause: Clause, scenes: Scenes) -> Clause | None:
    """She sings and laughs."""
    if clause.object or clause.second:
        return None
    return clause.but(second=scenes.other_verb(clause.verb))


CHANGES: tuple[Edit, ...] = (
    other_subject, other_object, other_verb, other_verb, other_place, other_adjective, other_number, roles_swapped,
)  # fmt: skip
ADDITIONS: tuple[Edit, ...] = (adjective, object_adjective, clothes, place, manner, one_more_verb)
DENIABLE = tuple(edit for edit in (*CHANGES, *ADDITIONS) if edit not in (other_number, one_more_verb))
"""Those whose negation says nothing about the clause: *no man* is about two and about three, and has one verb."""
