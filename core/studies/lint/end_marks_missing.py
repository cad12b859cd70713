"""Texts without punctuation at the end among texts that have it."""

from __future__ import annotations

from core.studies.lint._characters import end_marks
from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found:
    """None where most texts lack the mark: that is the style of the set."""
    texts = stimuli.texts
    bare = end_marks(texts["text"]) == ""
    rows = texts[bare & (2 * bare.sum() < len(texts))]
    predicate = "have no punctuation mark at the end; the others have one"
    return found(rows, len(texts), "text", predicate, lambda _: "no mark at the end")


CHECK = Check(
    name="end_marks_missing",
    title="No punctuation at the end",
    severity="note",
    meaning="Texts with and without a final mark are not comparable: the mark is scored, and models expect one.",
    find=_find,
)
