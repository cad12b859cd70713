"""Predict first: with `?reveal=0` in the address the answer stays hidden until somebody asks for it."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st


def answer_is_shown(question: Hashable) -> bool:
    """Whether the answer to this question may be seen; if not, the button that shows it is drawn."""
    if st.query_params.get("reveal") != "0" or st.session_state.get("revealed") == question:
        return True
    st.button("Show the answer", type="primary", icon=":material/visibility:", on_click=_reveal, args=(question,))
    return False


def _reveal(question: Hashable) -> None:
    st.session_state["revealed"] = question
