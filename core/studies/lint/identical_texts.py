"""Two candidates of one item that are the same text."""

from __future__ import annotations

import pandas as pd

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found:
    texts = stimuli.texts
    owners = pd.Series(texts.index, texts.index)
    same = texts.assign(owner=owners)[pd.DataFrame({"owner": owners, "text": texts["text"]}).duplicated().to_numpy()]
    rows = same.drop_duplicates("owner")
    pairs = stimuli.noun == "pair"
    predicate = "are identical and can only tie" if pairs else "have two identical texts, whose scores are equal"
    return found(rows, len(stimuli.items), stimuli.noun, predicate, lambda _: "the same text twice")


CHECK = Check(
    name="identical_texts",
    title="Identical texts",
    severity="error",
    meaning="Identical texts have identical scores, so the pair is always a tie.",
    find=_find,
)
