"""The meaning of a sentence, without the order and forms of its words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from core.bundled.nli_generator.words import Adjective, Noun, Verb

SINGULAR = ("a", "the", "no", "every")
"""Determiners of one; all others (some, all, most, not all, numbers) go with a plural."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Somebody or something. `determiner` is `a`, `the`, `no`, `all`, `at least 3` ...: see `grammar`.

    `having` is what somebody has with them; `also` a second noun, joined by `link` (and, or, nor).
    """

    noun: Noun
    determiner: str = "a"
    adjective: Adjective | None = None
    having: Noun | None = None
    also: Phrase | None = None
    link: str = "and"

    @property
    def is_plural(self) -> bool:
        """Of this noun alone."""
        return self.determiner not in SINGULAR


@dataclass(frozen=True, slots=True)
class Frame:
    """How a sentence is said, the same in both of a pair. `tense`: present, past, future or was (was running).

    `fronted`: its place comes first. `time`: when, said first or (`time_last`) last.
    """

    tense: str = "present"
    fronted: bool = False
    time: str = ""
    time_last: bool = False


@dataclass(frozen=True, slots=True)
class Clause:
    """Who does what to whom and where; or, with `quality`, what somebody is like.

    `second` is a verb that the subject does too. `agentless` passives do not say by whom; `there` is existential
    (*there is a man running*); `denied`: it is not true that; `affirmed`: it is true that.
    """

    subject: Phrase
    verb: Verb | None
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
