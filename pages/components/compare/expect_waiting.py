"""Long texts: how long they will take, before it begins."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.runs.estimate import duration_in_words
from core.scoring.model_cache import expected_seconds
from core.scoring.recipe import Recipe
from core.studies.compare.typed import SentencePair
from pages.components.shared import notices

_LONG = 10.0
"""Seconds that nobody is asked about."""
_SAID = "waiting_agreed"
"""A question, and whether somebody wants its answer."""


def may_be_scored(pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> bool:
    """Whether to go on: at once if it will not take long, unless it was stopped; else when somebody has said so."""
    texts = [text for pair in pairs for text in pair]
    by_model = {recipe.model.name: expected_seconds(texts, recipe) for recipe in recipes}
    question, agreed = st.session_state.get(_SAID, (None, False))
    if agreed if question == _question(pairs, recipes) else sum(by_model.values()) < _LONG:
        return True
    slowest = max(by_model, key=lambda name: by_model[name])
    notices.note(
        f"Scoring these texts will take about {duration_in_words(sum(by_model.values()))} here, most of it with "
        f"{slowest}. A masked model reads the text once for each token of it; a causal one reads it once."
    )
    st.button(
        "Score them",
        type="primary",
        icon=":material/play_arrow:",
        on_click=answer_wanted,
        args=(True, pairs, recipes),
    )
    return False


def answer_wanted(wanted: bool, pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> None:
    """Callback: whether these pairs are to be scored, however long it takes."""
    st.session_state[_SAID] = _question(pairs, recipes), wanted


def _question(pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> object:
    return tuple(pairs), tuple(recipe.fingerprint for recipe in recipes)
