"""Items without a right text, or with a wrong statement of which it is."""

from __future__ import annotations

import pandas as pd

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli
from core.types import Item


def _find(stimuli: Stimuli) -> Found | None:
    """Does not apply to sets in which no item has a right answer, such as reading times."""
    if not any(item.gold for item in stimuli.items):
        return None
    wrong = pd.Series([_wrong(item) for item in stimuli.items], dtype="str")
    rows = stimuli.places.assign(wrong=wrong)[wrong != ""]
    return found(
        rows, len(stimuli.items), stimuli.noun, "have not exactly one right text", lambda row: str(row.wrong)
    )


def _wrong(item: Item) -> str:
    """What is wrong, if anything; a design may have single sentences, which need no right answer."""
    if item.gold is None:
        return "no candidate is marked as right" if len(item.candidates) > 1 else ""
    labels = [one.label for one in item.candidates]
    if (number := labels.count(item.gold)) != 1:
        return (
            f"{number or 'none'} of the candidates {', '.join(labels)} {'are' if number > 1 else 'is'} '{item.gold}'"
        )
    return "there is only one candidate" if len(labels) < 2 else ""


CHECK = Check(
    name="right_answers",
    title="No right answer",
    severity="warning",
    meaning="An item without exactly one right text among several is left out of the accuracy.",
    find=_find,
)
