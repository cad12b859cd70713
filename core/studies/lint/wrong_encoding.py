"""Texts that were read in the wrong encoding (`Ã©` for `é`), and characters that were lost."""

from __future__ import annotations

import re

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_LOST = "\ufffd"
_LATER = "[\u0080-\u00bf" + bytes(range(0x80, 0xC0)).decode("cp1252", "ignore") + "]"
"""The later bytes of a character of UTF-8, as Latin-1 or Windows-1252 has them."""
_SIGNS = re.compile(f"[ÂÃ]{_LATER}|â[\u0080€]{_LATER}|(?:[ÐÑ×]{_LATER}){{2,}}")
"""Accents and quotation marks, Cyrillic and Hebrew. `É»` at the end of a word is no sign: people write it."""


def _find(stimuli: Stimuli) -> Found:
    predicate = "were read in the wrong encoding: save the file as UTF-8"
    return found_in_texts(stimuli, _is_garbled, predicate, _what)


def _is_garbled(text: str) -> bool:
    return not text.isascii() and (_LOST in text or mended(text) != text)


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


def _what(text: str) -> str:
    return "a character was lost (�)" if _LOST in text else f"should read: {mended(text)}"


CHECK = Check(
    name="wrong_encoding",
    title="Wrong encoding",
    severity="error",
    meaning="The words are garbled, and no model knows them.",
    find=_find,
)
