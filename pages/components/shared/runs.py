"""The runs on this machine, newest first; what has been saved, and the link that opens it."""

from __future__ import annotations

import json

import streamlit as st

from core.runs.result import short_names
from core.runs.run_list import headline_of
from core.store import Store
from pages.components.shared import notices
from pages.components.shared.tables import show_table

_COLUMNS = {
    "title": "Run",
    "model": "Model",
    "shown": "Result (95 % interval)",
    "n": st.column_config.NumberColumn("Items", format="localized"),
    "preset": "Scoring",
    "state": "State",
    "created": st.column_config.DatetimeColumn("Started (UTC)"),
    "place": "Model's folder or full name",
}
_SHOWN = 50


def show_runs(store: Store, *tasks: str) -> None:
    """A table of the runs of these tasks; the chosen ones go to the link as `run`."""
    runs = store.runs()
    runs = runs[runs["task"].isin(tasks)].head(_SHOWN)
    if runs.empty:
        return
    runs = runs.assign(place=runs["model"], model=runs["model"].map(short_names([*runs["model"]])))
    runs = runs.assign(shown=[headline_of(json.loads(manifest)) or "no number" for manifest in runs["manifest"]])
    st.header("Runs on this machine", anchor=False)
    event = show_table(
        runs[list(_COLUMNS)], column_config=_COLUMNS,
        on_select="rerun", selection_mode="multi-row", key="runs",
    )  # fmt: skip
    chosen = [runs.iloc[place]["run_id"] for place in event.selection.rows if place < len(runs)]
    label = "Open this run" if len(chosen) == 1 else f"Compare these {len(chosen)} runs"
    if chosen and st.button(label, icon=":material/open_in_new:"):
        st.query_params.from_dict({"run": chosen})
        st.rerun()


def say_saved(run_id: str) -> None:
    """It stands in the list of Results, opened there by the link."""
    st.toast("Saved to Results.")
    notices.note(f"Saved to Results as {run_id}.")
    st.page_link("pages/results.py", label="Open it", icon=":material/open_in_new:", query_params={"run": run_id})
