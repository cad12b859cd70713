"""What English and Portuguese share in expressing a clause; their own forms are in `english` and `portuguese`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import ClassVar

from pairlens.text.spelling import spell
from workshop.nli_generator.clause import Clause, Phrase
from workshop.nli_generator.words import LANGUAGES, Adjective, Noun

PROGRESSIVE = ("present", "was")
"""Tenses in which something is under way, which allow *there is somebody doing it*."""


class Grammar(ABC):
    """The grammar of a language. Determiners are given in English, with numbers in figures."""

    language: str
    words_for: ClassVar[Mapping[str, str]]
    dressed_in_one: ClassVar[str] = "a"
    """The determiner in *a man in a hat*."""

    def sentence(self, clause: Clause) -> str:
        """The sentence, with its capital and full stop."""
        frame = clause.frame
        text = f"{self._opening(clause)} {self._main(clause)}".strip()
        place = "" if frame.fronted or clause.style == "after" else clause.place
        time = frame.time if frame.time_last else ""
        along = self._along(clause.along) if clause.along else ""
        text = " ".join(part for part in (text, clause.manner, place, time, along) if part)
        first = clause.place if frame.fronted else "" if frame.time_last else frame.time
        text = f"{first}, {text}" if first else text
        return spell(" ".join(f"{{{word}}}" for word in text.split()).replace(",}", "},") + ".", self.language)

    def _opening(self, clause: Clause) -> str:
        if clause.denied or clause.affirmed:
            return self.words_for[f"{'denied' if clause.denied else 'affirmed'} {clause.frame.tense == 'was'}"]
        return ""

    def _along(self, clause: Clause) -> str:
        said = (self.words_for["and"], self._main(clause), clause.manner, clause.place)
        return " ".join(part for part in said if part)

    def _main(self, clause: Clause) -> str:
        if clause.there or clause.style in ("there", "who"):
            return self._existential(clause)
        if clause.passive:
            return self._passive(clause)
        subject = self.phrase(clause.subject)
        if clause.style == "caption":
            return f"{subject} {self._doing(clause)}"
        where = f" {clause.place}" if clause.style == "after" else ""
        return f"{subject}{where} {self._predicate(clause)}"

    def _predicate(self, clause: Clause) -> str:
        subject = clause.subject
        if clause.quality:
            return f"{self._copula(clause)} {self.adjective(clause.quality, subject.noun, subject.is_plural)}"
        verb = self._verb(clause)
        return f"{verb} {self.phrase(clause.object)}" if clause.object else verb

    def phrase(self, phrase: Phrase) -> str:
        """A noun with its determiner, adjective, *with* phrase, and coordinated noun."""
        having = f"{self.words_for['with']} {self.phrase(Phrase(phrase.having))}" if phrase.having else ""
        text = " ".join(part for part in (self._determined(phrase), having, self._dressed(phrase)) if part)
        if phrase.also is None:
            return text
        before = f"{self.words_for['neither']} " if phrase.link == "nor" else ""
        return f"{before}{text} {self.words_for[phrase.link]} {self.phrase(phrase.also)}"

    def _doing(self, clause: Clause) -> str:
        """What the subject does, without an auxiliary: *running and singing*."""
        verbs = [clause.verb, *([clause.second] if clause.second else [])]
        said = f" {self.words_for['and']} ".join(verb.progressive for verb in verbs)
        return f"{said} {self.phrase(clause.object)}" if clause.object else said

    def _dressed(self, phrase: Phrase) -> str:
        """*In a red hat*, *wearing red hats*, *who is wearing a red hat*."""
        if phrase.wearing is None:
            return ""
        one = self.dressed_in_one if phrase.dressed == "in" else "a"
        thing = Phrase(phrase.wearing, "bare" if phrase.is_plural else one, phrase.colour)
        return f"{self.words_for[f'{phrase.dressed} {phrase.is_plural}']} {self.phrase(thing)}"

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

    made: Grammar = import_module(f"workshop.nli_generator.{LANGUAGES[language]}").GRAMMAR
    return made
