"""Texts that were read in the wrong encoding (`Ã©` for `é`), and characters that were lost."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli
from core.text.faults import LOST, is_garbled, mended


def _find(stimuli: Stimuli) -> Found:
    predicate = "were read in the wrong encoding: save the file as UTF-8"
    return found_in_texts(stimuli, is_garbled, predicate, _what)


def _what(text: str) -> str:
    return "a character was lost (�)" if LOST in text else f"should read: {mended(text)}"


CHECK = Check(
    name="wrong_encoding",
    title="Wrong encoding",
    severity="error",
    meaning="The words are garbled, and no model knows them.",
    find=_find,
)
