"""The meaning of a sentence, without the order and forms of its words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from workshop.nli_generator.words import Adjective, Noun, Verb

SINGULAR = ("a", "the", "no", "every", "pronoun")
"""Determiners of one; all others (some, all, most, not all, numbers) go with a plural."""
DRESSED = ("in", "wearing", "who")
"""*A man in a hat*, *wearing a hat*, *who is wearing a hat*."""
STYLES = ("", "caption", "there", "who", "after")
"""*He is running*, *he running*, *there is he running*, *there is he who is running*, *he in the park is running*."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. `determiner` is `a`, `the`, `no`, `all`, `at least 3` ...: see `grammar`.

    `having` is the noun of a phrase with *with*; `also` a second noun, joined by `link` (and, or, nor). `wearing` is
    a piece of clothing with its `colour`, said in the way `dressed`, one of DRESSED.
    """

    noun: Noun
    determiner: str = "a"
    adjective: Adjective | None = None
    having: Noun | None = None
    also: Phrase | None = None
    link: str = "and"
    wearing: Noun | None = None
    colour: Adjective | None = None
    dressed: str = "in"

    @property
    def is_plural(self) -> bool:
        """Whether this noun alone is plural."""
        return self.determiner not in SINGULAR


@dataclass(frozen=True, slots=True)
class Frame:
    """Tense and order, the same in both sentences of a pair.

    `tense`: present (is running), simple (runs), past, future or was (was running).

    `fronted`: the place comes first. `time`: an adverbial that comes first or (`time_last`) last.
    """

    tense: str = "present"
    fronted: bool = False
    time: str = ""
    time_last: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """Who does what to whom and where; or, with `quality` and NO_VERB, what somebody is like.

    `second` is a verb that the subject does too. `agentless` passives do not say by whom; `there` is existential
    (*there is a man running*); `denied`: it is not true that; `affirmed`: it is true that. `style` is one
    of STYLES. `manner`: how, an adverb; `along`: another clause, joined by *and*.
    """

    subject: Phrase
    verb: Verb
    object: Phrase | None = None
    second: Verb | None = None
    quality: Adjective | None = None
    place: str = ""
    negated: bool = False
    passive: bool = False
    agentless: bool = False
    there: bool = False
    denied: bool = False
    affirmed: bool = False
    style: str = ""
    manner: str = ""
    along: Clause | None = None
    frame: Frame = Frame()

    def by(self, **changes: Any) -> Clause:
        """The clause with another subject: its noun, determiner and so on."""
        return replace(self, subject=replace(self.subject, **changes))

    def to(self, **changes: Any) -> Clause:
        """The clause with another object."""
        assert self.object is not None
        return replace(self, object=replace(self.object, **changes))

    def but(self, **changes: Any) -> Clause:
        """The clause with other parts."""
        return replace(self, **changes)
