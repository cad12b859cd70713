"""White space that cannot be seen: no-break and double spaces, spaces around a text, characters without width."""

from __future__ import annotations

import re

from core.studies.lint._characters import containing
from core.studies.lint._check import Check, Found
from core.studies.lint._stimuli import Stimuli

_ODD = re.compile(
    "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u00ad\u200b\u2060\ufeff\t\r\f\v]"
    r"|^[^\S\n]+|(?<![^\S\n])[^\S\n]+$|(?<=\S)[^\S\n]{2,}(?=\S)"
)


def _find(stimuli: Stimuli) -> Found:
    have = "invisible spaces (no-break, double, or at the beginning or end)"
    return containing(stimuli, _ODD, have, may=_may)


def _may(text: str) -> bool:
    return not text.isascii() or " ".join(text.split()) != text


CHECK = Check(
    name="spaces",
    title="Odd spaces",
    severity="warning",
    meaning="To a tokenizer, a no-break or a second space is a different character with a different probability.",
    find=_find,
)
