"""The models on this machine as a table, one of which is chosen."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.models.inventory import Entry, in_millions
from core.reports.model_evaluation.rows import in_words
from core.training.card import words_read
from pages.components.models import resources
from pages.components.shared import notices
from pages.components.shared.choose_row import choose_row

PARAMETER = "model"
KINDS = {
    "causal": "left to right", "masked": "masked", "seq2seq": "encoder-decoder", "classifier": "entailment",
    "next-sentence": "next sentence", "unigram": "word counts",
}  # fmt: skip
LANGUAGES = {"en": "English", "fr": "French", "pt": "Portuguese"}
ORIGINS = {"bundled": "comes with Pairlens", "own": "made here", "hub": "from the hub", "folder": "a folder"}
_COLUMNS = {
    "name": st.column_config.TextColumn("Name", width="medium"),
    "kind": "Kind",
    "language": "Language",
    "parameters": st.column_config.TextColumn("Parameters", alignment="right"),
    "size": st.column_config.TextColumn("On disk", alignment="right"),
    "text": st.column_config.TextColumn("Training words", alignment="right"),
    "reaches": st.column_config.TextColumn("Accuracy (95 % interval)", width="large"),
    "origin": "From",
}


def choose_entry() -> Entry | None:
    """The model of the link, or the first; None where there is none at all."""
    entries = sorted(resources.entries(), key=lambda entry: list(KINDS).index(entry.kind))
    if not entries:
        notices.note(
            "There are no models on this machine: add one below, train one on the page Train, or restore the folder "
            "data/models."
        )
        return None
    rows = pd.DataFrame([_row(entry) for entry in entries])
    names = [entry.name for entry in entries]
    chosen = choose_row(
        rows,
        names,
        _COLUMNS,
        "The models on this machine",
        version=" ".join(names),
        parameter=PARAMETER,
        noun="model",
    )
    return entries[names.index(chosen)]


def languages(entry: Entry) -> str:
    """`English, Portuguese`; empty where the card names none."""
    return ", ".join(LANGUAGES.get(code, code) for code in str(entry.card.get("language", "")).split())


def _row(entry: Entry) -> dict[str, str]:
    return {
        "name": entry.name,
        "kind": KINDS.get(entry.kind, entry.kind),
        "language": languages(entry),
        "parameters": in_millions(entry.parameters),
        "size": f"{entry.megabytes:,.1f} MB",
        "text": in_millions(words_read(entry.card)),
        "reaches": " · ".join(in_words(entry.card)),
        "origin": ORIGINS[entry.origin],
    }
