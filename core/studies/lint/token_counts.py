"""Pairs whose texts have different numbers of tokens, as a model cuts them."""

from __future__ import annotations

from core.studies.lint._check import Check, Found
from core.studies.lint._lengths import unequal
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    return unequal(stimuli.pairs, stimuli.count_tokens, "tokens") if stimuli.count_tokens else None


CHECK = Check(
    name="token_counts",
    title="Unequal numbers of tokens",
    severity="note",
    meaning="Every token costs probability: a text that this model splits into more tokens is at a disadvantage.",
    find=_find,
)
