"""Clauses in English."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from workshop.nli_generator.clause import Clause, Phrase
from workshop.nli_generator.grammar import Grammar
from workshop.nli_generator.words import Adjective, Noun

_NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight")
_DETERMINERS = {
    "all": "all the", "not all": "not all the", "most": "most of the", "the pl": "the", "no pl": "no", "bare": "",
    "pronoun": "", "group": "a group of",
}  # fmt: skip
_BE = {
    "present": ("is", "are"),
    "simple": ("is", "are"),
    "past": ("was", "were"),
    "was": ("was", "were"),
    "future": ("will be", "will be"),
}


class English(Grammar):
    """Subject, auxiliary, verb, object; *not* after the auxiliary."""

    language = "en"
    words_for: ClassVar[Mapping[str, str]] = {
        "with": "with", "and": "and", "or": "or", "nor": "nor", "neither": "neither",
        "denied False": "it is not true that", "denied True": "it was not true that",
        "affirmed False": "it is true that", "affirmed True": "it was true that",
        "in False": "in", "in True": "in", "wearing False": "wearing", "wearing True": "wearing",
        "who False": "who is wearing", "who True": "who are wearing",
    }  # fmt: skip

    def adjective(self, adjective: Adjective, noun: Noun, plural: bool) -> str:  # noqa: ARG002 - no agreement
        return adjective.forms[0]

    def _determined(self, phrase: Phrase) -> str:
        noun = phrase.noun.plural if phrase.is_plural else phrase.noun.singular
        described = f"{phrase.adjective.forms[0]} {noun}" if phrase.adjective else noun
        return f"{_determiner(phrase.determiner)} {described}".strip()

    def _verb(self, clause: Clause) -> str:
        verb, second, tense = clause.verb, clause.second, clause.frame.tense
        negated = " not" if clause.negated else ""
        if tense in ("present", "was"):
            forms = f"{_be(clause)}{negated} {verb.progressive}", second and second.progressive
        elif tense == "future":
            forms = f"will{negated} {verb.base}", second and second.base
        elif tense == "simple":
            plural = _is_plural(clause.subject)
            does = "do not" if plural else "does not"
            forms = (
                (f"{does} {verb.base}", second and second.base)
                if clause.negated
                else (verb.present[plural], second and second.present[plural])
            )
        elif clause.negated:
            forms = f"did not {verb.base}", second and second.base
        else:
            forms = verb.past, second and second.past
        return " and ".join(form for form in forms if form)

    def _copula(self, clause: Clause) -> str:
        return _negated(_be(clause), clause.negated)

    def _passive(self, clause: Clause) -> str:
        assert clause.object is not None
        be = _negated(_be(clause, clause.object), clause.negated)
        being = " being" if clause.frame.tense in ("present", "was") else ""
        agent = "" if clause.agentless else f" by {self.phrase(clause.subject)}"
        return f"{self.phrase(clause.object)} {be}{being} {clause.verb.participle}{agent}"

    def _existential(self, clause: Clause) -> str:
        who = f"{'who' if clause.subject.noun.kind == 'person' else 'that'} {_be(clause)} "
        relative = who if clause.style == "who" else ""
        return f"there {_be(clause)} {self.phrase(clause.subject)} {relative}{self._doing(clause)}"


def _be(clause: Clause, phrase: Phrase | None = None) -> str:
    return _BE[clause.frame.tense][_is_plural(phrase or clause.subject)]


def _is_plural(phrase: Phrase) -> bool:
    """*A group of men is*: a group is one."""
    alone = phrase.is_plural and phrase.determiner != "group"
    return alone or (phrase.also is not None and phrase.link == "and")


def _negated(auxiliary: str, negated: bool) -> str:
    """*is not*, *will not be*."""
    first, _, rest = auxiliary.partition(" ")
    return f"{first}{' not' if negated else ''} {rest}".strip()


def _determiner(determiner: str) -> str:
    """`at least 2` as words."""
    said = " ".join(_NUMBERS[int(part)] if part.isdigit() else part for part in determiner.split())
    return _DETERMINERS.get(said, said)


GRAMMAR = English()
