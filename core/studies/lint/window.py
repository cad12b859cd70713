"""Texts that a model cannot see at once."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found_in_texts
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    if stimuli.count_tokens is None or stimuli.window is None:
        return None
    most = stimuli.window
    # A text has at most as many tokens as bytes, so short texts need not be counted.
    long = [text for text in set(stimuli.given) if len(text.encode("utf-8", "replace")) > most]
    counts = {text: stimuli.count_tokens(text) for text in long}
    return found_in_texts(
        stimuli,
        lambda text: counts.get(text, 0) > most,
        f"are longer than the {most:,} tokens the model sees at once",
        lambda text: f"{counts[text]:,} tokens",
    )


CHECK = Check(
    name="window",
    title="Longer than the model can see",
    severity="warning",
    meaning="Later words are predicted without the beginning of the text, in windows that overlap.",
    find=_find,
)
