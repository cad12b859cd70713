"""Texts that a tool has cut into tokens."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli
from core.text import detokenise, looks_tokenised


def _find(stimuli: Stimuli) -> Found | None:
    """Does not apply to models whose tokens are the words of such text."""
    if stimuli.whole_words:
        return None
    language = looks_tokenised(stimuli.given)
    joined = {text: detokenise(text, language) for text in set(stimuli.given)} if language else {}
    predicate = (
        "look tokenised, with spaces before punctuation or after elisions; "
        f"the policy detokenise={language} joins them"
    )
    return found_in_texts(
        stimuli,
        lambda text: joined.get(text, text) != text,
        predicate,
        lambda text: f"would read: {joined[text]}",
    )


CHECK = Check(
    name="tokenised",
    title="Tokenised text",
    severity="warning",
    meaning="Models have seen ordinary text: spaces before commas and after apostrophes lower every score.",
    find=_find,
)
