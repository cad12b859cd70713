"""Runs that were deleted today, each with a way back."""

from __future__ import annotations

import streamlit as st

from core.store.deleted import deleted, restore
from pages.components.results.publish_tables import publish_tables
from pages.components.shared import notices, resources


def show_deleted_runs() -> None:
    """A popover with those that can be restored; nothing if there are none."""
    found = deleted(resources.store())
    if not found:
        return
    with st.popover(f"Undo: {notices.counted(len(found), 'deleted run')}", icon=":material/undo:", key="undo"):
        notices.write("Kept until the end of the day (UTC).", "pl-quiet")
        for one in found:
            label = notices.literal(f"{one.title} · {one.model}")
            if st.button(f"Restore {label}", key=f"restore_{one.date}_{one.run_id}"):
                with notices.explained_errors():
                    restore(resources.store(), one.run_id)
                    publish_tables()
                    st.rerun()
