"""The runs that a link opens, with a way back to where a run is set up."""

from __future__ import annotations

import streamlit as st


def opened_runs() -> list[str]:
    """Their ids as the link has them; empty if it opens none."""
    ids = st.query_params.get_all("run")
    if ids and st.button("Set up another run", icon=":material/arrow_back:"):
        st.query_params.clear()
        st.rerun()
    return ids
