"""The same in other words, in another order, in another construction."""

from __future__ import annotations

from dataclasses import replace

from workshop.nli_generator.clause import DRESSED, Clause, Phrase
from workshop.nli_generator.everyday.nouns import partners
from workshop.nli_generator.everyday.weaker import fits, has_passive
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.words import Adjective, Noun

_ALIKE = {"a": ("the", "a", "a"), "the": ("a", "the", "the")}
_AS_MANY = {"some": ("bare", "some"), "bare": ("some", "bare")}


def other_words(clause: Clause, scenes: Scenes, share: float = 0.4) -> Clause:
    """The clause, each of its words replaced by a synonym at this rate where it has one."""
    chance = scenes.chance
    if chance.random() < share:
        clause = _other_verb(clause, scenes)
    subject = _other_phrase(clause.subject, scenes, share)
    if subject.determiner in _ALIKE and not subject.also and chance.random() < 0.3:
        subject = replace(subject, determiner=chance.choice(_ALIKE[subject.determiner]))
    elif subject.determiner in _AS_MANY:
        subject = replace(subject, determiner=chance.choice(_AS_MANY[subject.determiner]))
    if subject.also and chance.random() < 0.4:
        other = replace(subject.also, also=replace(subject, also=None))
        subject = subject if subject.adjective or subject.wearing or subject.having else other
    clause = clause.but(subject=subject)
    if clause.object:
        clause = clause.but(object=_other_phrase(clause.object, scenes, share))
    if clause.second and chance.random() < 0.4:
        clause = clause.but(verb=clause.second, second=clause.verb)
    return clause


def styled(clause: Clause, scenes: Scenes) -> Clause:
    """The clause in one of the constructions that it allows; a clause with `negated` keeps to plain ones."""
    chance, subject = scenes.chance, clause.subject
    if clause.place and chance.random() < 0.15:
        clause = clause.but(frame=replace(clause.frame, fronted=True))
    if clause.agentless:
        return clause
    if has_passive(clause) and clause.subject.determiner != "pronoun" and chance.random() < 0.25:
        return clause.but(passive=True)
    if clause.negated or clause.frame.tense != "present" or subject.determiner in ("no", "the", "the pl"):
        return clause.but(passive=False)
    styles = ["", "", "", "", "caption", "there", "there", "who"]
    if subject.determiner == "pronoun":
        styles = ["", "", "there"]
    if subject.also:
        styles = ["", "", "", "caption"]
    if clause.place and not clause.frame.fronted and not subject.wearing and not subject.having:
        styles += ["after"]
    return clause.but(passive=False, style=chance.choice(styles))


def simple_or_not(clause: Clause, scenes: Scenes) -> Clause:
    """*Is running* for *runs*, and the other way round."""
    tense = clause.frame.tense
    if tense not in ("present", "simple") or scenes.chance.random() > 0.12:
        return clause
    other = "simple" if tense == "present" else "present"
    return clause.but(frame=replace(clause.frame, tense=other), style="")


def _other_verb(clause: Clause, scenes: Scenes) -> Clause:
    found = [other for other in partners(scenes.words.synonymous_verbs, clause.verb.base) if fits(other, clause)]
    if not found:
        return clause
    other = scenes.chance.choice(found)
    if clause.agentless and " " in other.base:
        return clause
    return clause.but(verb=other)


def _other_phrase(phrase: Phrase, scenes: Scenes, share: float) -> Phrase:
    chance = scenes.chance
    if chance.random() < share:
        phrase = replace(phrase, noun=_other_noun(phrase.noun, scenes))
    if phrase.adjective and chance.random() < share:
        phrase = replace(phrase, adjective=_other_adjective(phrase.adjective, scenes))
    if phrase.wearing:
        phrase = replace(phrase, dressed=chance.choice(DRESSED))
    return phrase


def _other_noun(noun: Noun, scenes: Scenes) -> Noun:
    found = [twin for twin in partners(scenes.words.synonymous_nouns, noun.singular) if twin.kind == noun.kind]
    return replace(scenes.chance.choice(found), says_less=noun.says_less) if found else noun


def _other_adjective(adjective: Adjective, scenes: Scenes) -> Adjective:
    like = [
        a for pair in scenes.words.like_adjectives if adjective.forms in (pair[0].forms, pair[1].forms) for a in pair
    ]
    return scenes.chance.choice(like) if like else adjective
