"""Sentences of `core` and of the controls that all pages share, in Portuguese (`in_portuguese.toml`).

They are made in English, with names and numbers in them; each is recognised by its pattern. What is not known, such
as a name or a text of the visitor's, stays as it is.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from string import Template

from core.files.labels import TITLES

_NAME = re.compile(r"\\\$(\w+)")
_WORD = re.compile(r"[^\W\d_]+")
_WITH_LABELS = frozenset({"label", "meaning", "order"})


def in_portuguese(sentence: str) -> str:
    """The sentence, and what stands before a colon in it, in Portuguese; itself where it is not known."""
    for pattern, portuguese in _patterns():
        if found := pattern.fullmatch(sentence):
            return Template(portuguese).substitute(
                {name: _left_open(name, text) for name, text in found.groupdict().items()}
            )
    place, colon, found_there = sentence.partition(": ")
    return f"{in_portuguese(place)}: {in_portuguese(found_there)}" if colon else sentence


def _left_open(name: str, text: str) -> str:
    """What stands for `$name`: in a part that holds labels they have their Portuguese names."""
    return _WORD.sub(lambda word: _labels().get(word[0], word[0]), text) if name in _WITH_LABELS else text


@cache
def _labels() -> dict[str, str]:
    return {label: title.lower() for label, title in TITLES["pt"].items()}


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Every pattern with its Portuguese, the longest first: the least is left open in it."""
    texts = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    ordered = sorted(texts.items(), key=lambda pair: -len(_NAME.sub("", re.escape(pair[0]))))
    return [(_pattern(english), portuguese) for english, portuguese in ordered]


def _pattern(english: str) -> re.Pattern[str]:
    """What is left open holds no colon: before one stands a place, which is a sentence of its own."""
    return re.compile(_NAME.sub(r"(?P<\1>(?:(?!: ).)+?)", re.escape(english)), re.DOTALL)
