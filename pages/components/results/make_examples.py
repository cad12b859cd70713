"""The list of runs while there are none: what will be listed here, and two examples that take seconds."""

from __future__ import annotations

import streamlit as st

from core.api.example_runs import make_examples as examples
from pages.components.shared import notices, resources


def make_examples() -> None:
    """Say what runs are and offer to make two."""
    notices.note(
        "No results yet. Every benchmark you run and everything you save with Save to Results is listed here, with "
        "its number and how it was made."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Make two example runs", type="primary", icon=":material/play_arrow:"):
            with (
                notices.explained_errors(),
                st.spinner("Scoring our BLiMP sample with two small models …", show_time=True),
            ):
                *_, last = examples(resources.store(), resources.scorer)
                st.query_params["run"] = last
                st.rerun()
        st.page_link("pages/zero_shot.py", label="Open Benchmarks", icon=":material/leaderboard:")
    notices.write(
        "100 pairs in the format of BLiMP, scored by word counts and by a small language model: a few seconds.",
        "pl-quiet",
    )
