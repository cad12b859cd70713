"""What a spreadsheet or a program writes where a text was lost: `#N/A`, `#NAME?`, `nan`, `NULL`."""

from __future__ import annotations

import re

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli

_ERROR = re.compile(r"#(?:N/[AD]|NV|NAME\?|NOM\?|NOME\?|REF!|VALUE!|VALEUR!|VALOR!|DIV/0!|NUM!|NULL!|SPILL!|CALC!)")
_NOTHING = frozenset(("nan", "NaN", "NAN", "NA", "N/A", "n/a", "None", "NULL", "null", "<NA>", "NaT", "undefined"))
"""Of whole texts: `None` and `NA` are words within one."""


def _find(stimuli: Stimuli) -> Found:
    predicate = "hold a spreadsheet error or a missing value instead of a text"
    return found_in_texts(stimuli, _is_lost, predicate, lambda text: f"'{text.strip()[:40]}' where a text should be")


def _is_lost(text: str) -> bool:
    return text.strip() in _NOTHING or bool(_ERROR.match(text.strip()))


CHECK = Check(
    name="lost_cells",
    title="Text lost in a spreadsheet",
    severity="error",
    meaning="It is scored as if it were the text. #NAME? comes from a text that begins with = or -.",
    find=_find,
)
