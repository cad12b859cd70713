"""What is no text of its author's: what programs write in its place, garbled characters, marks of other people.

FAULTS     tests of a text by what it then has, as the checks of `core.studies.lint` report it
faults_in  what a text has of it
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

_MONTH = (
    "jan|feb|fev|fév|mar|mär|apr|abr|avr|may|mai|jun|juin|jul|juil|aug|ago|août|sep|sept|set|oct|okt|out|nov|dec|dez"
)
"""As spreadsheets abbreviate them in English, German, French and Portuguese."""
_DATE = re.compile(
    rf"(?:\d{{1,4}}[-./ ](?:{_MONTH})\.?|(?:{_MONTH})\.?[-./ ]\d{{1,4}}|\d{{1,2}}[-./ ](?:{_MONTH})\.?[-./ ]\d{{2,4}}"
    r"|\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?)",
    re.IGNORECASE,
)
"""Of whole texts: within a sentence a date is a date."""
_ERROR = re.compile(r"#(?:N/[AD]|NV|NAME\?|NOM\?|NOME\?|REF!|VALUE!|VALEUR!|VALOR!|DIV/0!|NUM!|NULL!|SPILL!|CALC!)")
_NOTHING = frozenset(("nan", "NaN", "NAN", "NA", "N/A", "n/a", "None", "NULL", "null", "<NA>", "NaT", "undefined"))
"""Of whole texts: `None` and `NA` are words within one."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_WORDS = "good|bad|ok|okay|acceptable|unacceptable|grammatical|ungrammatical|correct|incorrect|[*?#%]+"
JUDGEMENT = re.compile(
    rf"^\s*(?:\*(?![^*]*\*)|[?%]+|#(?!\w+\W*$|\w+[/!?])[*?#]*|[*?#]{{2,}})\s?(?=\w)|^\s*\((?:{_WORDS})\)|\((?:{_WORDS})\)\W*$",
    re.IGNORECASE,
)
"""No pair of stars around words (*laughs*), which is emphasis, and no hashtag alone."""
_LONGEST_WORD = 12
"""What programs write that begins with a letter is not longer, months with a year included."""
LOST = "\ufffd"
_LATER = "[\u0080-\u00bf" + bytes(range(0x80, 0xC0)).decode("cp1252", "ignore") + "]"
"""The later bytes of a character of UTF-8, as Latin-1 or Windows-1252 has them."""
_SIGNS = re.compile(f"[ÂÃ]{_LATER}|â[\u0080€]{_LATER}|(?:[ÐÑ×]{_LATER}){{2,}}")
"""Accents and quotation marks, Cyrillic and Hebrew. `É»` at the end of a word is no sign: people write it."""


def is_date(text: str) -> bool:
    """A date or a time and nothing else: `1-Mar`, `2025-03-01 00:00:00`."""
    return _DATE.fullmatch(text.strip()) is not None


def is_lost(text: str) -> bool:
    """What a spreadsheet or a program writes where a text was lost: `#N/A`, `#NAME?`, `nan`, `NULL`."""
    return text.strip() in _NOTHING or bool(_ERROR.match(text.strip()))


def has_entity(text: str) -> bool:
    """A character in the spelling of web pages: `&amp;`."""
    return "&" in text and any(html.unescape(match) != match for match in _ENTITY.findall(text))


def is_garbled(text: str) -> bool:
    """Read in the wrong encoding, or with a character that was lost."""
    return not text.isascii() and (LOST in text or (_SIGNS.search(text) is not None and mended(text) != text))


def mended(text: str) -> str:
    """UTF-8 that was read as Latin-1 or Windows-1252, repaired; any other text unchanged."""
    return _SIGNS.sub(_meant, text)


def _meant(match: re.Match[str]) -> str:
    try:
        return b"".join(map(_byte, match.group())).decode()
    except UnicodeDecodeError:
        return match.group()


def _byte(character: str) -> bytes:
    return bytes([ord(character)]) if ord(character) < 256 else character.encode("cp1252")


FAULTS: Mapping[str, Callable[[str], object]] = MappingProxyType(
    {
        "a date or a time and nothing else": is_date,
        "a spreadsheet error or a missing value": is_lost,
        "HTML entities such as &amp;": has_entity,
        "an acceptability mark": JUDGEMENT.search,
        "characters read in the wrong encoding": is_garbled,
    }
)


def faults_in(text: str) -> list[str]:
    """What is at fault in a text, by FAULTS. Nearly all can be told at once to be garbled or sound."""
    if len(text) > _LONGEST_WORD and text[0].isalpha() and "&" not in text and ")" not in text:
        return [*FAULTS][-1:] if is_garbled(text) else []
    return [said for said, has in FAULTS.items() if has(text)]
