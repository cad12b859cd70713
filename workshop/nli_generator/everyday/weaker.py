"""Edits after which a clause says less. Each gives None where there is nothing to leave out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from workshop.nli_generator.clause import Clause, Phrase
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.weakening import without_place
from workshop.nli_generator.words import Noun, Verb

Edit = Callable[[Clause, Scenes], Clause | None]

SOMEBODY = {"en": ("someone", "somebody"), "pt": ("alguém",)}
_FEWER = {"2": ("some", "bare", "a"), "3": ("some", "bare", "several"), "several": ("some", "bare"),
          "group": ("bare", "some")}  # fmt: skip


def weakened(clause: Clause, scenes: Scenes, times: int, but: tuple[Edit, ...] = ()) -> Clause:
    """The clause after at most so many edits, none of `but`."""
    for _ in range(times):
        found = [edited for edit in EDITS if edit not in but and (edited := edit(clause, scenes)) is not None]
        if not found:
            break
        clause = scenes.chance.choice(found)
    return clause


def without_adjective(clause: Clause, _: Scenes) -> Clause | None:
    """A tall man: a man."""
    return clause.by(adjective=None) if clause.subject.adjective else None


def without_clothes(clause: Clause, scenes: Scenes) -> Clause | None:
    """A man in a red hat: a man in a hat, a man."""
    if clause.subject.having:
        return clause.by(having=None)
    if clause.subject.colour and scenes.chance.random() < 0.5:
        return clause.by(colour=None)
    return clause.by(wearing=None, colour=None) if clause.subject.wearing else None


def without_companion(clause: Clause, scenes: Scenes) -> Clause | None:
    """A man and a woman: one of them."""
    subject = clause.subject
    if subject.also is None:
        return None
    kept = replace(subject, also=None) if scenes.chance.random() < 0.5 else subject.also
    return clause.but(subject=kept)


def without_object_adjective(clause: Clause, _: Scenes) -> Clause | None:
    """A red car: a car."""
    return clause.to(adjective=None) if clause.object and clause.object.adjective else None


def wider_place(clause: Clause, scenes: Scenes) -> Clause | None:
    """In the park: outdoors, or no place."""
    wider = scenes.words.wider_places.get(clause.place)
    if wider and scenes.chance.random() < 0.4:
        return clause.but(place=scenes.chance.choice(wider))
    return without_place(clause) if clause.place else None


def wider_subject(clause: Clause, scenes: Scenes) -> Clause | None:
    """A poodle: a dog. A person: somebody."""
    subject, less = clause.subject, clause.subject.noun.says_less
    if less is None or scenes.chance.random() < 0.1:
        return somebody(clause, scenes)
    if clause.object and clause.object.noun.singular == less.singular:
        return None
    return clause.by(noun=less) if subject.also is None else None


def somebody(clause: Clause, scenes: Scenes) -> Clause | None:
    """A tall man in a hat: somebody."""
    subject = clause.subject
    said = subject.adjective or subject.wearing or subject.having or subject.noun.says_less
    if subject.noun.kind != "person" or subject.determiner != "a" or subject.also or not said:
        return None
    word = scenes.chance.choice(SOMEBODY[scenes.words.language])
    return clause.but(subject=Phrase(Noun(word, word, "m", "person"), "pronoun"))


def wider_object(clause: Clause, _: Scenes) -> Clause | None:
    """A pear: a fruit."""
    less = clause.object and clause.object.noun.says_less
    if not less or less.singular in (clause.subject.noun.singular, "somebody"):
        return None
    return clause.to(noun=less)


def wider_verb(clause: Clause, scenes: Scenes) -> Clause | None:
    """She strolls: she walks."""
    found = [wide for narrow, wide in scenes.words.narrower if narrow.base == clause.verb.base and fits(wide, clause)]
    return clause.but(verb=scenes.chance.choice(found)) if found and not clause.second else None


def one_verb(clause: Clause, scenes: Scenes) -> Clause | None:
    """She laughs and sings: she sings."""
    if clause.second is None:
        return None
    return clause.but(verb=scenes.chance.choice((clause.verb, clause.second)), second=None)


def one_clause(clause: Clause, scenes: Scenes) -> Clause | None:
    """A man sings and a woman laughs: one of both."""
    if clause.along is None:
        return None
    return clause.but(along=None) if scenes.chance.random() < 0.5 else clause.along


def without_manner(clause: Clause, _: Scenes) -> Clause | None:
    """He runs quickly: he runs."""
    return clause.but(manner="") if clause.manner else None


def without_agent(clause: Clause, _: Scenes) -> Clause | None:
    """The car is washed by somebody: it is washed."""
    return clause.but(passive=True, agentless=True) if has_passive(clause) and not clause.agentless else None


def fewer(clause: Clause, scenes: Scenes) -> Clause | None:
    """Two men: some men, a man."""
    found = _FEWER.get(clause.subject.determiner)
    if not found or clause.subject.also:
        return None
    return clause.by(determiner=scenes.chance.choice(found))


EDITS: tuple[Edit, ...] = (
    without_adjective, without_clothes, without_companion, without_object_adjective, wider_place, wider_subject,
    wider_object, wider_verb, one_verb, one_clause, one_clause, without_manner, without_agent, fewer,
)  # fmt: skip


def fits(verb: Verb, clause: Clause) -> bool:
    """Whether a verb selects the clause's subject and object."""
    if clause.subject.noun.kind not in verb.by:
        return False
    return clause.object.noun.kind in verb.of if clause.object else not verb.of


def has_passive(clause: Clause) -> bool:
    """Whether the clause can be said in the passive."""
    return clause.object is not None and " " not in clause.verb.base and clause.second is None
