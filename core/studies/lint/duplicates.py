"""Items that occur more than once."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found:
    items = stimuli.contents
    firsts = items.groupby(["texts", "right"], sort=False)["item"].transform("first")
    rows = items.drop(columns="right").assign(first=firsts)[items.duplicated(["texts", "right"])]
    predicate = "repeat an earlier one word for word"
    return found(rows, len(stimuli.items), stimuli.noun, predicate, lambda row: f"the same as {row.first}")


CHECK = Check(
    name="duplicates",
    title="Duplicate items",
    severity="warning",
    meaning="An item that occurs twice counts twice, and intervals become too narrow.",
    find=_find,
)
