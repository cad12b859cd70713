"""Nouns that say less than another one, nouns that have nothing to do with it, and the partners of a word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from workshop.nli_generator.clause import Clause
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.words import Noun, Verb

Word = TypeVar("Word", Noun, Verb)


def chain(noun: Noun) -> list[str]:
    """The noun and all that says less, in the singular."""
    found = [noun.singular]
    while noun.says_less is not None:
        noun = noun.says_less
        found.append(noun.singular)
    return found


def partners(pairs: Iterable[tuple[Word, Word]], name: str) -> list[Word]:
    """The other words of the pairs that hold the word of this name: a noun's singular, a verb's base."""
    return [
        other
        for pair in pairs
        for one, other in (pair, pair[::-1])
        if (one.singular if isinstance(one, Noun) else one.base) == name
    ]


def unlike(noun: Noun, kinds: tuple[str, ...], clause: Clause, scenes: Scenes) -> Noun | None:
    """A noun of these kinds that is not wider, narrower, a synonym or in the clause; None without one."""
    synonyms = {twin.singular for twin in partners(scenes.words.synonymous_nouns, noun.singular)}
    taken = {noun.singular, *synonyms, *(one.noun.singular for one in (clause.subject, clause.object) if one)}
    found = [
        one for one in scenes.words.of_kinds(kinds) if not taken & set(chain(one)) and one.singular not in chain(noun)
    ]
    return scenes.chance.choice(found) if found else None
