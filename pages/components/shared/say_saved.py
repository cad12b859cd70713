"""What has been saved, and the link that opens it."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import notices


def say_saved(run_id: str) -> None:
    """It stands in the list of Results, opened there by the link."""
    st.toast("Saved to Results.")
    notices.note(f"Saved to Results as {run_id}.")
    st.page_link("pages/results.py", label="Open it", icon=":material/open_in_new:", query_params={"run": run_id})
