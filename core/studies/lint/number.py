"""Whether the right form is nearly always the singular, or nearly always the plural."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from core.studies.lint._check import Check, Found
from core.studies.lint._one_sided import Side, by_section
from core.studies.lint._stimuli import Stimuli
from core.text.lexicon import lexicons

_LEAST = 0.9
_SIDE = Side("Number", "the right form is the singular", "the right form is the plural")
_GROUP = "number"
_VALUES = {"singular": 1.0, "plural": 0.0, "sg": 1.0, "pl": 0.0}
_AUXILIARIES = {
    "is": "are", "was": "were", "has": "have", "does": "do", "isn't": "aren't", "hasn't": "haven't",
    "est": "sont", "a": "ont", "était": "étaient", "é": "são", "era": "eram", "está": "estão",
}  # fmt: skip
"""Singular to plural of the commonest verbs, which the lexicons lack."""


def _find(stimuli: Stimuli) -> Found | None:
    """From the items' group `number`; without it from the forms, where a lexicon has both."""
    given = pd.Series([_VALUES.get(item.groups.get(_GROUP, ""), np.nan) for item in stimuli.items])
    if given.notna().any():
        singular, sections = given.dropna(), stimuli.places["section"][given.notna()]
    else:
        pairs = stimuli.critical
        forms = zip(pairs["old"].tolist(), pairs["new"].tolist(), strict=True)
        decided = pd.Series([_singular(*pair) for pair in forms], pairs.index, "float64").dropna()
        singular, sections = decided, pairs.loc[decided.index, "section"]
    return None if singular.empty else by_section(singular, sections, _LEAST, _SIDE)


def _singular(right: str, wrong: str) -> float:
    """1 for a singular against its plural, 0 for the reverse, NaN for any other words."""
    known = _numbers()
    if (right, wrong) in known:
        return 1.0
    return 0.0 if (wrong, right) in known else np.nan


@cache
def _numbers() -> frozenset[tuple[str, str]]:
    """Singular and plural forms, from all lexicons, that differ only in number."""
    found = set(_AUXILIARIES.items())
    for lexicon in lexicons().values():
        for entry in lexicon.entries:
            forms = list(zip(entry.forms, entry.features, strict=True))
            found |= {
                (one.lower(), other.lower())
                for one, has in forms
                for other, also in forms
                if one != other and "sg" in has and "pl" in also and has - {"sg"} == also - {"pl"}
            }
    return frozenset(found)


CHECK = Check(
    name="number",
    title="Always the same number",
    severity="warning",
    meaning="A model that always prefers one number is right there without knowing agreement.",
    find=_find,
)
