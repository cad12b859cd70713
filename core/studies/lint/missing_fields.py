"""Items without a value that the others have."""

from __future__ import annotations

import pandas as pd

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import MADE_HERE, Stimuli

_NOTHING = ("", "nan", "None", "NA", "<NA>")


def _find(stimuli: Stimuli) -> Found | None:
    """A field that no item of a section (a file, a paradigm) has is not missing there."""
    groups = pd.DataFrame([dict(item.groups) for item in stimuli.items]).drop(columns=[*MADE_HERE], errors="ignore")
    if not len(groups.columns):
        return None
    lacking = groups.isna() | groups.isin(_NOTHING)
    sections = stimuli.places["section"]
    expected = ~lacking.groupby(sections).transform("all") if len(lacking) else ~lacking
    missing = lacking & expected
    rows = stimuli.places[missing.any(axis=1)]
    names = [", ".join(missing.columns[cells]) for cells in missing.loc[rows.index].to_numpy()]
    rows, predicate = rows.assign(fields=names), "lack a value that others of their kind have"
    return found(rows, len(groups), stimuli.noun, predicate, lambda row: f"no value in {row.fields}")


CHECK = Check(
    name="missing_fields",
    title="Missing values",
    severity="note",
    meaning="Items without a value belong to no group of that column.",
    find=_find,
)
