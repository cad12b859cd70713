"""What a lesson is."""

from __future__ import annotations

from dataclasses import dataclass

EXPECTED = ("A", "B", "none")
"""Which sentence of a pair a competent speaker prefers; `none` where both are fine."""


@dataclass(frozen=True, slots=True)
class Step:
    """One question to the class: which of two sentences is better, or which word comes next.

    A step has either `pair`, sentences A and B, or `prefix`, the beginning of a sentence; `forms` are words to choose
    from after it, and without them any word may be guessed. `expected` is one of `EXPECTED` for a pair and one of the
    forms, or empty, after a prefix. `notice`, what is to be noticed, is shown after the answer; `reference` is the
    source of the phenomenon.
    """

    pair: tuple[str, str] | None = None
    prefix: str = ""
    forms: tuple[str, ...] = ()
    question: str = ""
    expected: str = ""
    notice: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps in order, under a title; `model` answers, `minutes` is how long it is meant to take."""

    title: str
    steps: tuple[Step, ...]
    about: str = ""
    language: str = "en"
    model: str = ""
    minutes: int = 45
