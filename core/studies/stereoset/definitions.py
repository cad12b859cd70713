"""The definitions that one set of scores allows: which case, and what the score of a word is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from core.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE
from core.studies.stereoset.cases import CASES

IN_THE_FILE = "as in the file"
_WORDS = {"joint": "word: product over its pieces", "mean": "word: mean of its pieces (StereoSet)"}
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Definition:
    """How stored log-probabilities become scores: `case` between sentences, `words` within them.

    `case` is a letter of `core.studies.stereoset.cases.CASES`, `words` a name of
    `core.studies.stereoset.scored.WORD_VALUES`; each is empty where the model was not asked in a way that leaves the
    choice. `elsewhere`: the scores are those of a file of predictions.
    """

    case: str = ""
    words: str = ""
    elsewhere: bool = False


def possible(usual: Definition) -> list[Definition]:
    """The usual definition, and those that differ from it in one thing."""
    cases = [Definition(case, usual.words) for case in CASES if usual.case and case != usual.case]
    words = [Definition(usual.case, value) for value in _WORDS if usual.words and value != usual.words]
    return [usual, *cases, *words]


def of_kind(defined: Mapping[Definition, _Value], kind: str) -> dict[str, _Value]:
    """By name in words, the usual definition, which is the first one, and those that differ from it in this task."""
    usual = next(iter(defined))
    named = {}
    for one, value in defined.items():
        if kind == INTRASENTENCE and one.case != usual.case:
            continue
        if kind == INTERSENTENCE and one.words != usual.words:
            continue
        named[definition_in_words(one, kind, usual)] = value
    return named


def definition_in_words(one: Definition, kind: str, usual: Definition) -> str:
    """What a definition is called on screens: a case by its letter and name, the score of a word by what it is."""
    if one.elsewhere:
        return IN_THE_FILE
    case, word = _case(one.case), _WORDS.get(one.words, "whole sentence, per token")
    if kind == INTRASENTENCE:
        return word
    if kind == INTERSENTENCE or one.words == usual.words:
        return case
    return word


def _case(letter: str) -> str:
    return f"{letter}: {CASES[letter].name}" if letter else "is it the next sentence?"
