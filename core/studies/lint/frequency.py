"""Pairs whose right word is nearly always the more, or the less, frequent one."""

from __future__ import annotations

from core.studies.lint._check import Check, Found
from core.studies.lint._one_sided import Side, by_section, wins
from core.studies.lint._stimuli import Stimuli
from core.studies.lint._word_counts import log_frequencies

_LEAST = 0.6
_SIDE = Side("Word frequency", "the right word is the more frequent one", "the right word is the less frequent one")


def _find(stimuli: Stimuli) -> Found | None:
    """Over pairs that differ in one word, where both words were counted; other languages have no counts."""
    pairs = stimuli.critical
    known = log_frequencies(stimuli.texts["text"], {*pairs["old"], *pairs["new"]}) if len(pairs) else {}
    counted = pairs[pairs["old"].isin(known) & pairs["new"].isin(known)]
    if counted.empty:
        return None
    more_frequent = wins(counted["old"].map(known), counted["new"].map(known))
    return by_section(more_frequent, counted["section"], _LEAST, _SIDE)


CHECK = Check(
    name="frequency",
    title="Frequency of the critical words",
    severity="warning",
    meaning="Frequent words are more probable everywhere, so a model may be right by frequency alone.",
    find=_find,
)
