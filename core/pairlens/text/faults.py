"""What is no text of its author's: what programs write in its place, garbled characters, marks of other people.

FAULTS     tests of a text by what it then has, as the checks of `pairlens.studies.lint` report it
faults_in  what a text has of it
Faults     what `data lint` calls an error in many texts: how many of them have it, and where
"""

import html
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from pairlens.messages import Message, joined, one_or_more
from pairlens.types import Item

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
        signs = (bytes([ord(sign)]) if ord(sign) < 256 else sign.encode("cp1252") for sign in match.group())
        return b"".join(signs).decode()
    except UnicodeDecodeError:
        return match.group()


FAULTS: Mapping[Message, Callable[[str], object]] = MappingProxyType(
    {
        Message("a date or a time and nothing else"): is_date,
        Message("a spreadsheet error or a missing value"): is_lost,
        Message("HTML entities such as &amp;"): has_entity,
        Message("an acceptability mark"): JUDGEMENT.search,
        Message("characters read in the wrong encoding"): is_garbled,
    }
)


def faults_in(text: str) -> list[Message]:
    """What is at fault in a text, by FAULTS. Nearly all can be told at once to be garbled or sound."""
    if len(text) > _LONGEST_WORD and text[0].isalpha() and "&" not in text and ")" not in text:
        return [*FAULTS][-1:] if is_garbled(text) else []
    return [fault for fault, has in FAULTS.items() if has(text)]


_SHOWN = 8
_SAME = Message("the same text twice in an item")
_CONTRADICTING = Message("the texts of another item with right and wrong exchanged")
Place = tuple[str, int | None]
"""What a text stands in, and the row of its file, if known."""


@dataclass(slots=True)
class Faults:
    """Texts, or items of them, that are looked at one by one in the order of their files."""

    _places: dict[Message, list[Place]] = field(default_factory=lambda: defaultdict(list))
    _rights: dict[int, tuple[int, Place] | None] = field(default_factory=dict)
    _n: int = 0
    _last: int = 0
    _several_files: bool = False

    def look(self, text: str, place: str, row: int | None = None) -> None:
        self._several_files |= (row or 0) < self._last
        self._last = row or 0
        self._n += 1
        for fault in faults_in(text):
            self._places[fault].append((place, row))

    def add(self, item: Item, row: int | None) -> None:
        """Look at one item: at each of its texts, whether two are the same, and whether an earlier item had them."""
        place, texts = (item.id, row), [candidate.context + candidate.text for candidate in item.candidates]
        for text in texts:
            self.look(text, item.id, row)
        if len(set(texts)) < len(texts):
            self._places[_SAME].append(place)
        elif item.gold is not None:
            rights = [text for text, one in zip(texts, item.candidates, strict=True) if one.label == item.gold]
            self._compare(hash(frozenset(texts)), hash(tuple(rights)), place)

    def _compare(self, texts: int, right: int, place: Place) -> None:
        """With the item that had these texts first; None where it is known that its right one was another."""
        known = self._rights.setdefault(texts, (right, place))
        if known is None or known[0] != right:
            self._places[_CONTRADICTING] += [known[1], place] if known else [place]
            self._rights[texts] = None

    def in_words(self, noun: str = "item") -> str:
        """One line: how many texts, which errors, in which rows or (of several files) `noun`s; empty for none."""
        if not (n := sum(map(len, self._places.values()))):
            return ""
        return one_or_more(
            "{n} of {texts} has what data lint calls an error and is scored all the same: {faults}.",
            "{n:,} of {texts} have what data lint calls errors and are scored all the same: {faults}.",
            n=n, texts=one_or_more("{n} text", "{n:,} texts", n=self._n),
            faults=joined((self._placed(fault, places, noun) for fault, places in self._places.items()), "; "),
        )  # fmt: skip

    def _placed(self, fault: Message, places: list[Place], noun: str) -> Message:
        by_row = all(row for _, row in places) and not self._several_files
        names = [*dict.fromkeys(f"{row:,}" if by_row else name for name, row in places)]
        several, shown = len(names) > 1, ", ".join(names[:_SHOWN])
        what = _NOUNS["row" if by_row else noun][several]
        if (more := len(names) - _SHOWN) > 0:
            shown = Message("{names} and {n:,} more", names=shown, n=more)
        return Message("{fault} ({what} {names})", fault=fault, what=what, names=shown)


_NOUNS = {
    "row": (Message("row"), Message("rows")), "item": (Message("item"), Message("items")),
    "pair": (Message("pair"), Message("pairs")), "sentence": (Message("sentence"), Message("sentences")),
}  # fmt: skip
"""What places are called, one and several."""
