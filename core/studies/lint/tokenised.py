"""Texts that a tool has cut into tokens."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli
from core.text import detokenise, looks_tokenised


def _find(stimuli: Stimuli) -> Found:
    texts = stimuli.texts
    distinct = texts["text"].unique().tolist()
    language = looks_tokenised(texts["text"].tolist())
    joined = {text: detokenise(text, language) for text in distinct} if language else {}
    rows = texts.assign(joined=texts["text"].map(joined))[[joined.get(text, text) != text for text in texts["text"]]]
    predicate = (
        "look cut into tokens, with spaces before marks or after elisions; "
        f"the policy detokenise={language} joins them"
    )
    return found(rows, len(texts), "text", predicate, lambda row: f"would read: {row.joined}")


CHECK = Check(
    name="tokenised",
    title="Text cut into tokens",
    severity="warning",
    meaning="Models have seen ordinary text: spaces before commas and after apostrophes make every score lower.",
    find=_find,
)
