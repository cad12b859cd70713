"""Pairs whose texts have different numbers of words."""

from __future__ import annotations

from core.studies.lint._check import Check, Found
from core.studies.lint._lengths import unequal
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    return unequal(stimuli.pairs, lambda text: len(text.split()), "words")


CHECK = Check(
    name="word_counts",
    title="Unequal numbers of words",
    severity="note",
    meaning="Summed log-probabilities favour the shorter text: part of the accuracy may be length.",
    find=_find,
)
