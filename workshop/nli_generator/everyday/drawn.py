"""Scenes at random: somebody does something, to something or not, somewhere or not."""

from __future__ import annotations

from dataclasses import replace

from workshop.nli_generator.clause import DRESSED, Clause, Frame, Phrase
from workshop.nli_generator.everyday.nouns import unlike
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.words import Noun

_TENSES = ("present",) * 7 + ("simple", "past")
_SUBJECTS = ("a",) * 9 + ("the",) * 4 + ("2", "2", "3", "some", "several", "bare", "group", "the pl")
_OBJECTS = ("a",) * 6 + ("the", "the", "some", "2", "bare")


_MANNERS = {
    "en": ("quickly", "happily", "carefully", "patiently", "eagerly", "again", "with a friend", "all day"),
    "pt": ("depressa", "devagar", "com cuidado", "com paciência", "animadamente", "de novo", "com um amigo",
           "o dia todo"),
}  # fmt: skip


def scene(scenes: Scenes, *, transitive: bool | None = None) -> Clause:
    """A clause with any of the things that can be left out, at times together with another one."""
    clause = single(scenes, transitive=transitive)
    if scenes.chance.random() > 0.07:
        return clause
    along = single(scenes).but(frame=clause.frame, manner="")
    known = (clause.verb.base, along.verb.base)
    if known[0].split()[0] == known[1].split()[0] or clause.subject.noun.singular == along.subject.noun.singular:
        return clause
    return clause.but(along=along)


def single(scenes: Scenes, *, transitive: bool | None = None) -> Clause:
    """One clause."""
    chance = scenes.chance
    clause = scenes.clause(transitive=transitive, place=0.4)
    clause = clause.but(frame=Frame(chance.choice(_TENSES)))
    subject = replace(clause.subject, noun=_raised(clause.subject.noun, scenes), determiner=chance.choice(_SUBJECTS))
    clause = clause.but(subject=_described(subject, clause, scenes))
    if clause.object:
        thing = _raised(clause.object.noun, scenes)
        clause = clause.to(noun=thing, determiner=chance.choice(_OBJECTS))
        if chance.random() < 0.2:
            clause = clause.to(adjective=scenes.adjective(thing))
        if thing.singular == subject.noun.singular:
            return single(scenes, transitive=transitive)
    elif chance.random() < 0.12:
        clause = clause.but(second=scenes.other_verb(clause.verb))
    if chance.random() < 0.08:
        clause = clause.but(manner=manner(scenes))
    return clause


def manner(scenes: Scenes) -> str:
    """How something is done."""
    return scenes.chance.choice(_MANNERS[scenes.words.language])


def dressed(phrase: Phrase, scenes: Scenes) -> Phrase:
    """The phrase with a piece of clothing."""
    chance = scenes.chance
    thing = chance.choice(scenes.words.clothes)
    colour = scenes.adjective(thing) if chance.random() < 0.6 else None
    return replace(phrase, wearing=thing, colour=colour, dressed=chance.choice(DRESSED))


def _described(phrase: Phrase, clause: Clause, scenes: Scenes) -> Phrase:
    """At times with an adjective, an accessory or a piece of clothing, or together with somebody else."""
    chance, noun = scenes.chance, phrase.noun
    if chance.random() < 0.22:
        phrase = replace(phrase, adjective=scenes.adjective(noun))
    what = chance.random()
    if noun.kind == "person" and what < 0.14:
        return dressed(phrase, scenes)
    if noun.kind == "person" and what < 0.19 and not phrase.is_plural:
        return replace(phrase, having=chance.choice(scenes.words.accessories))
    if phrase.determiner in ("a", "the") and what > 0.93 and (also := unlike(noun, (noun.kind,), clause, scenes)):
        return replace(phrase, also=Phrase(also, phrase.determiner))
    return phrase


def _raised(noun: Noun, scenes: Scenes) -> Noun:
    """The noun, or at times one that says less: *dog* is as common as all its kinds together."""
    while noun.says_less is not None and scenes.chance.random() < 0.3:
        noun = noun.says_less
    return noun
