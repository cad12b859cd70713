"""Whose scores: those of the models chosen on the page, or those in files of predictions made elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.components.shared import notices
from pages.components.shared.given_files import given_files

MODELS, FILES = "By the models above", "Predictions made elsewhere"
_KEY = "predictions"
GIVEN = f"{_KEY}_files"
"""In the link: the ids of files of predictions."""
_LABEL = 'Predictions as published: {"intrasentence": [{"id": "…", "score": 0.1}, …], …}; .json or .json.gz'


def choose_predictions() -> Sequence[Path] | None:
    """The files that were given, perhaps none yet; None if the models are to be asked."""
    chosen = st.segmented_control(
        "Scores", (MODELS, FILES), default=MODELS, required=True, key="scores_of", bind="query-params"
    )
    if chosen == MODELS:
        return None
    given = given_files(_LABEL, _KEY)
    if not given:
        notices.note("Upload one or several files of predictions for these examples: no model is needed then.")
    return given
