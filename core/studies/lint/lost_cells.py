"""What a spreadsheet or a program writes where a text was lost: `#N/A`, `#NAME?`, `nan`, `NULL`."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli
from core.text.faults import is_lost


def _find(stimuli: Stimuli) -> Found:
    predicate = "hold a spreadsheet error or a missing value instead of a text"
    return found_in_texts(stimuli, is_lost, predicate, lambda text: f"'{text.strip()[:40]}' where a text should be")


CHECK = Check(
    name="lost_cells",
    title="Text lost in a spreadsheet",
    severity="error",
    meaning="It is scored as if it were the text. #NAME? comes from a text that begins with = or -.",
    find=_find,
)
