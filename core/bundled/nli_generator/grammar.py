"""What English and Portuguese share in expressing a clause; their own forms are in `english` and `portuguese`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import ClassVar

from core.bundled.nli_generator.clause import Clause, Phrase
from core.bundled.nli_generator.words import LANGUAGES, Adjective, Noun
from core.text.spelling import spell

PROGRESSIVE = ("present", "was")
"""Tenses in which something is under way, which allow *there is somebody doing it*."""


class Grammar(ABC):
    """The grammar of a language. Determiners are given in English, with numbers in figures."""

    language: str
    words_for: ClassVar[Mapping[str, str]]

    def sentence(self, clause: Clause) -> str:
        """The sentence, with its capital and full stop."""
        frame = clause.frame
        text = f"{self._opening(clause)} {self._main(clause)}".strip()
        place = "" if frame.fronted else clause.place
        time = frame.time if frame.time_last else ""
        text = " ".join(part for part in (text, place, time) if part)
        first = clause.place if frame.fronted else "" if frame.time_last else frame.time
        text = f"{first}, {text}" if first else text
        return spell(" ".join(f"{{{word}}}" for word in text.split()).replace(",}", "},") + ".", self.language)

    def _opening(self, clause: Clause) -> str:
        if clause.denied or clause.affirmed:
            return self.words_for[f"{'denied' if clause.denied else 'affirmed'} {clause.frame.tense == 'was'}"]
        return ""

    def _main(self, clause: Clause) -> str:
        if clause.there:
            return self._existential(clause)
        if clause.passive:
            return self._passive(clause)
        subject = self.phrase(clause.subject)
        return f"{subject} {self._predicate(clause)}"

    def _predicate(self, clause: Clause) -> str:
        subject = clause.subject
        if clause.quality:
            return f"{self._copula(clause)} {self.adjective(clause.quality, subject.noun, subject.is_plural)}"
        verb = self._verb(clause)
        return f"{verb} {self.phrase(clause.object)}" if clause.object else verb

    def phrase(self, phrase: Phrase) -> str:
        """A noun with its determiner, adjective, *with* phrase, and coordinated noun."""
        having = f"{self.words_for['with']} {self.phrase(Phrase(phrase.having))}" if phrase.having else ""
        text = f"{self._determined(phrase)} {having}".strip()
        if phrase.also is None:
            return text
        before = f"{self.words_for['neither']} " if phrase.link == "nor" else ""
        return f"{before}{text} {self.words_for[phrase.link]} {self.phrase(phrase.also)}"

    @abstractmethod
    def adjective(self, adjective: Adjective, noun: Noun, plural: bool) -> str: ...

    @abstractmethod
    def _determined(self, phrase: Phrase) -> str: ...

    @abstractmethod
    def _verb(self, clause: Clause) -> str: ...

    @abstractmethod
    def _copula(self, clause: Clause) -> str: ...

    @abstractmethod
    def _passive(self, clause: Clause) -> str: ...

    @abstractmethod
    def _existential(self, clause: Clause) -> str: ...


@cache
def grammar(language: str) -> Grammar:
    """The grammar of `en` or `pt`."""

    made: Grammar = import_module(f"core.bundled.nli_generator.{LANGUAGES[language]}").GRAMMAR
    return made
