"""Rows that the reader of the data refuses."""

from __future__ import annotations

import pandas as pd

from core.messages import counted as plural
from core.studies.lint._check import COLUMNS, KEPT, Check, Found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    """Does not apply to stimuli that were not read from a file here."""
    mistakes = stimuli.mistakes
    if mistakes is None:
        return None
    table = pd.DataFrame(mistakes.kept[:KEPT], columns=["row", "what"]).assign(item="", texts="")
    read = len(stimuli.design.sentences) if stimuli.design else len(stimuli.items)
    noun = "sentence" if stimuli.design else stimuli.noun
    sentence = f"{plural(mistakes.n, 'row')} cannot be read; {plural(read, noun)} can"
    table = table[[*COLUMNS]].astype(COLUMNS).sort_values("row", kind="stable", ignore_index=True)
    return Found(table, mistakes.n, read + mistakes.n, sentence)


CHECK = Check(
    name="unreadable",
    title="Rows that cannot be read",
    severity="error",
    meaning="They are left out of these findings. Nothing can be scored until they are corrected.",
    find=_find,
)
