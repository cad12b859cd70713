"""Items without a value that the others have."""

from __future__ import annotations

from typing import Any

import pandas as pd

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import MADE_HERE, Stimuli

_NOTHING = ("", "nan", "None", "NA", "<NA>")


def _find(stimuli: Stimuli) -> Found | None:
    """A field that a whole section (a file, a paradigm) lacks is not missing there."""
    groups = pd.DataFrame([dict(item.groups) for item in stimuli.items]).drop(columns=[*MADE_HERE], errors="ignore")
    if not len(groups.columns):
        return None
    lacking = groups.isna() | groups.isin(_NOTHING)
    sections = stimuli.places["section"]
    expected = ~lacking.groupby(sections).transform("all") if len(lacking) else ~lacking
    missing = lacking & expected
    rows = stimuli.places[missing.any(axis=1)]
    names = [", ".join(missing.columns[cells]) for cells in missing.loc[rows.index].to_numpy()]
    predicate = "lack a value that others of their kind have"
    return found(rows.assign(fields=names), len(groups), stimuli.noun, predicate, _what)


def _what(row: Any) -> str:
    return f"nothing in {row.fields}"


CHECK = Check(
    name="missing_fields",
    title="Missing values",
    severity="note",
    meaning="Items without a value are not in any of the groups of that column.",
    find=_find,
)
