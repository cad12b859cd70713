"""Whose answers: log-probabilities that the files hold already, or those of the models chosen on the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.files.tables import ending

_GIVEN, _MODELS = "In the file", "By the models above"
_HOLDS = ".raw-pred"


def choose_answers(data: Path | None) -> Sequence[Path]:
    """The files whose own log-probabilities are to be looked at; none if the models are to be asked."""
    listed = sorted(data.iterdir()) if data and data.is_dir() else [data] if data else []
    given = [file for file in listed if file.is_file() and ending(file) == _HOLDS]
    if not given:
        return []
    chosen = st.segmented_control(
        "Log-probabilities", (_GIVEN, _MODELS), default=_GIVEN, required=True, key="answers", bind="query-params"
    )
    return given if chosen == _GIVEN else []
