"""Texts that contain characters of some kind, and the punctuation marks that texts end with."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

import pandas as pd

from core.studies.lint._check import Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_CLOSING = "\"'’”»)]}"
_LAST_MARK = r"([^\w\s])$"
_AROUND = 12
"""Characters of context shown on either side of the first match."""


def containing(stimuli: Stimuli, pattern: re.Pattern[str], have: str, *, may: Callable[[str], bool] = bool) -> Found:
    """The texts in which the pattern is found; `have` follows `3 of 20 texts have`.

    Only those that `may` have it are searched: most can be told from others at once.
    """

    def what(text: str) -> str:
        matches = list(pattern.finditer(text))
        start, end = matches[0].span()
        kinds = dict.fromkeys(name_of(match.group()) for match in matches)
        return f"{', '.join(kinds)} in '{text[max(start - _AROUND, 0) : end + _AROUND]}'"

    return found_in_texts(stimuli, lambda text: may(text) and pattern.search(text), f"have {have}", what)


def name_of(stretch: str) -> str:
    """The stretch itself, or the name of an invisible character."""
    if len(stretch) == 1 and (stretch.isspace() or not stretch.isprintable()):
        return unicodedata.name(stretch, f"character U+{ord(stretch):04X}").lower()
    return stretch if stretch.strip() else f"{len(stretch)} spaces"


def end_marks(texts: pd.Series) -> pd.Series:
    """The last mark before closing quotation marks and brackets, empty where a text ends with a word."""
    bare = texts.str.rstrip().str.rstrip(_CLOSING)
    return bare.str.extract(_LAST_MARK, expand=False).fillna("").astype("str")
