"""Items in which the right text can be told by its length alone."""

from __future__ import annotations

from core.studies.lint._check import Check, Found
from core.studies.lint._lengths import lengths
from core.studies.lint._one_sided import Side, by_section, wins
from core.studies.lint._stimuli import Stimuli

_LEAST = 0.9


def _find(stimuli: Stimuli) -> Found | None:
    """In tokens where a tokenizer is given, else in characters."""
    if stimuli.pairs.empty:
        return None
    unit = "tokens" if stimuli.count_tokens else "characters"
    pairs = lengths(stimuli.pairs, stimuli.count_tokens or len)
    side = Side("Length", f"the right text has fewer {unit}", f"the right text has more {unit}")
    return by_section(wins(pairs["n_wrong"], pairs["n_right"]), pairs["section"], _LEAST, side)


CHECK = Check(
    name="length",
    title="Length gives the answer away",
    severity="warning",
    meaning="Where the right text is nearly always the shorter (or longer) one, length alone gives the answer.",
    find=_find,
)
