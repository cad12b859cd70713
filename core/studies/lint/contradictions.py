"""Items with the same texts that disagree about which one is right."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    items = stimuli.contents
    items = items[(items["right"] != "").to_numpy()]
    if items.empty:
        return None
    repeated = items[items.duplicated("texts", keep=False)]
    rows = repeated[repeated.groupby("texts")["right"].transform("nunique") > 1].drop(columns="right")
    predicate = "have the same texts as another one, with right and wrong exchanged"
    return found(rows, len(items), stimuli.noun, predicate, lambda _: "right and wrong are exchanged elsewhere")


CHECK = Check(
    name="contradictions",
    title="Contradicting items",
    severity="error",
    meaning="Whatever a model prefers, it is right in one of the two items and wrong in the other.",
    find=_find,
)
