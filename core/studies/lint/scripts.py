"""Words with letters of several scripts, such as a Cyrillic а among Latin letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_WORD = re.compile(r"[^\W\d_]+")
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""Scripts with letters that look alike. Others may be mixed: Japanese words are, and so are `SMS和` and `α`."""


def _find(stimuli: Stimuli) -> Found:
    return found_in_texts(stimuli, _mixed, "have words with letters from several scripts", _what)


def _mixed(text: str) -> list[str]:
    words = () if text.isascii() else (word for word in _WORD.findall(text) if not word.isascii())
    return [word for word in words if len({_script(letter) for letter in word} & _ALIKE) > 1]


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _what(text: str) -> str:
    return ", ".join(
        f"{word} ({', '.join(f'{letter} {_script(letter).lower()}' for letter in dict.fromkeys(word))})"
        for word in dict.fromkeys(_mixed(text))
    )


CHECK = Check(
    name="scripts",
    title="Several scripts in one word",
    severity="warning",
    meaning="Letters that look alike are different to a tokenizer: no model knows the resulting word.",
    find=_find,
)
