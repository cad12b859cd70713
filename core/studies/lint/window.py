"""Texts that a model cannot see at once."""

from __future__ import annotations

from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    if stimuli.count_tokens is None or stimuli.window is None:
        return None
    most, texts = stimuli.window, stimuli.texts
    # No token is longer than the text in bytes, so that short texts need not be counted.
    distinct = [text for text in texts["text"].unique() if len(text.encode("utf-8", "replace")) > most]
    counts = texts["text"].map({text: stimuli.count_tokens(text) for text in distinct}).fillna(0).astype("int64")
    rows = texts.assign(n_tokens=counts)[counts > most]
    return found(
        rows,
        len(texts),
        "text",
        f"are longer than the {most:,} tokens the model sees at once",
        lambda row: f"{row.n_tokens:,} tokens",
    )


CHECK = Check(
    name="window",
    title="Longer than the model can see",
    severity="warning",
    meaning="Later words are predicted without the beginning of the text, in windows that overlap.",
    find=_find,
)
