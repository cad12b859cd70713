"""The negation of a clause, and verbs that exclude each other."""

from __future__ import annotations

from dataclasses import replace

from workshop.nli_generator.clause import Clause, Phrase
from workshop.nli_generator.everyday.nouns import partners
from workshop.nli_generator.everyday.weaker import fits
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.words import Noun

NOBODY = {"en": ("nobody", "no one"), "pt": ("ninguém",)}


def denied(clause: Clause, scenes: Scenes) -> Clause:
    """That nobody of the kind does it: *is not*, *no man is*, *there is no man*, *nobody is*."""
    if clause.subject.determiner == "pronoun":
        return _nobody(clause, scenes)
    forms = [_not, _not, _no, _there_is_no]
    if clause.subject.also:
        forms = [_not]
    if clause.agentless:
        forms = [_not]
    return scenes.chance.choice(forms)(one_action(clause))


def none(clause: Clause, scenes: Scenes) -> Clause:
    """*No man is*, *there is no man*, *nobody is*: also without any man."""
    if clause.subject.determiner == "pronoun":
        return _nobody(clause, scenes)
    return scenes.chance.choice((_no, _there_is_no))(one_action(clause))


def one_action(clause: Clause) -> Clause:
    """The clause with one verb: what *not* denies of two would be unclear."""
    return clause.but(second=None, along=None)


def opposed(clause: Clause, scenes: Scenes) -> Clause | None:
    """The clause with a verb that excludes its own."""
    found = [other for other in partners(scenes.words.opposite_verbs, clause.verb.base) if fits(other, clause)]
    if not found or clause.second:
        return None
    return clause.but(verb=scenes.chance.choice(found), passive=False, agentless=False)


def _not(clause: Clause) -> Clause:
    return clause.but(negated=True, style="")


def _no(clause: Clause) -> Clause:
    return clause.by(determiner="no").but(style="", passive=False, agentless=False)


def _there_is_no(clause: Clause) -> Clause:
    if clause.frame.tense != "present":
        return _no(clause)
    determiner = "no pl" if clause.subject.is_plural else "no"
    return clause.by(determiner=determiner).but(there=True, passive=False, agentless=False)


def _nobody(clause: Clause, scenes: Scenes) -> Clause:
    word = scenes.chance.choice(NOBODY[scenes.words.language])
    subject = Phrase(Noun(word, word, "m", "person"), "pronoun")
    there = clause.frame.tense == "present" and scenes.chance.random() < 0.4
    return replace(one_action(clause), subject=subject, there=there, passive=False, agentless=False)
