"""Nouns that say less than another one, and nouns that have nothing to do with it."""

from __future__ import annotations

from core.bundled.nli_generator.clause import Clause
from core.bundled.nli_generator.scenes import Scenes
from core.bundled.nli_generator.words import Noun


def chain(noun: Noun) -> list[str]:
    """The noun and all that says less, in the singular."""
    found = [noun.singular]
    while noun.says_less is not None:
        noun = noun.says_less
        found.append(noun.singular)
    return found


def unlike(noun: Noun, kinds: tuple[str, ...], clause: Clause, scenes: Scenes) -> Noun | None:
    """A noun of these kinds that is neither wider nor narrower, nor a synonym, nor in the clause; None without one."""
    synonyms = {
        two.singular
        for pair in scenes.words.synonymous_nouns
        for one, two in (pair, pair[::-1])
        if one.singular == noun.singular
    }
    taken = {noun.singular, *synonyms, *(one.noun.singular for one in (clause.subject, clause.object) if one)}
    found = [
        one
        for one in scenes.words.of_kinds(kinds)
        if not taken & set(chain(one)) and one.singular not in chain(noun)
    ]
    return scenes.chance.choice(found) if found else None
