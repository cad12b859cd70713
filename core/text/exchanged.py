"""The words of a text as the lexicon has them, and the text with some of them exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from core.text.lexicon import Lexicon, lexicons

_LETTERS = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_WORD = re.compile(_LETTERS)
_FRENCH_WORD = re.compile(rf"(?:\b(?:[cdjlmnst]|qu)['’])|{_LETTERS}", re.IGNORECASE)


def words_of(text: str, language: str) -> list[str]:
    """The words in lower case; in French also an elided one (*l'*)."""
    return [match.group().lower() for match in _pattern(language).finditer(text)]


def exchanged(text: str, new: Mapping[int, str], language: str) -> str:
    """The text with its n-th words replaced; a capital stays a capital."""
    parts, end = [], 0
    for number, match in enumerate(_pattern(language).finditer(text)):
        word = new.get(number, match.group())
        parts += [text[end : match.start()], word[0].upper() + word[1:] if match.group()[0].isupper() else word]
        end = match.end()
    return "".join([*parts, text[end:]])


def lexicon_of(texts: Iterable[str]) -> Lexicon:
    """The lexicon that has most of the texts' words; the first of those that have equally many."""
    given = list(texts)

    def known(lexicon: Lexicon) -> int:
        return sum(word in lexicon.words for text in given for word in words_of(text, lexicon.language))

    return max(lexicons().values(), key=known)


def _pattern(language: str) -> re.Pattern[str]:
    return _FRENCH_WORD if language == "fr" else _WORD
