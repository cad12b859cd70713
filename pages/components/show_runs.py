"""The runs on this machine, newest first; choosing one opens it, with its address in the link."""

from __future__ import annotations

import streamlit as st

from core.store import Store

_COLUMNS = {
    "title": "Run",
    "model": "Model",
    "value": st.column_config.NumberColumn("Right", format="percent"),
    "low": st.column_config.NumberColumn("95 % from", format="percent"),
    "high": st.column_config.NumberColumn("95 % to", format="percent"),
    "n": "Pairs",
    "preset": "Scoring",
    "state": "State",
    "created": st.column_config.DatetimeColumn("Started (UTC)"),
}
_SHOWN = 50


def show_runs(store: Store, task: str) -> None:
    """A table of the task's runs; a chosen row goes to the link as `run`."""
    runs = store.runs()
    runs = runs[runs["task"] == task].head(_SHOWN)
    if runs.empty:
        return
    st.subheader("Runs on this machine", anchor=False)
    event = st.dataframe(
        runs[list(_COLUMNS)], hide_index=True, column_config=_COLUMNS,
        on_select="rerun", selection_mode="single-row", key="runs",
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        st.query_params.from_dict({"run": runs.iloc[place]["run_id"]})
        st.rerun()
