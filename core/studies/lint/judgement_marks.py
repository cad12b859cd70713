"""Acceptability marks that belong to a paper, not to the sentence: `*`, `??`, `#`, `(good)`."""

from __future__ import annotations

from core.studies.lint._characters import containing
from core.studies.lint._check import Check, Found
from core.studies.lint._stimuli import Stimuli
from core.text.faults import JUDGEMENT


def _find(stimuli: Stimuli) -> Found:
    return containing(stimuli, JUDGEMENT, "an acceptability mark, as printed before or after examples in papers")


CHECK = Check(
    name="judgement_marks",
    title="Acceptability marks",
    severity="error",
    meaning="The mark is scored as part of the sentence and gives the bad one away: remove it.",
    find=_find,
)
