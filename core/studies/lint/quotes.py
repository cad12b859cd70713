"""Curly quotation marks and apostrophes."""

from __future__ import annotations

import re

from core.studies.lint._characters import containing
from core.studies.lint._check import Check, Found
from core.studies.lint._stimuli import Stimuli

_CURLY = re.compile("[‘’‚‛“”„‟]")


def _find(stimuli: Stimuli) -> Found:
    mixed = any("'" in text or '"' in text for text in stimuli.given)
    others = ", while others have straight ones" if mixed else ""
    return containing(stimuli, _CURLY, f"curly quotation marks or apostrophes{others}", may=_may)


def _may(text: str) -> bool:
    return not text.isascii()


CHECK = Check(
    name="quotes",
    title="Curly quotation marks",
    severity="warning",
    meaning="Small models have never seen them and find them very improbable; the text policy can straighten them.",
    find=_find,
)
