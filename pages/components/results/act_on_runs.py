"""What can be done with the runs that are ticked in the list."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.runs.archive import SUFFIX, packed
from core.store import visitors
from core.store.deleted import delete
from core.store.run_annotations import tag, write_note
from pages.components.results.choose_runs import compare_runs
from pages.components.results.publish_tables import publish_tables
from pages.components.shared import notices, resources


def act_on_runs(ticked: pd.DataFrame) -> None:
    """Open, or see how they differ; tag, write a note, export, delete."""
    run_ids, done = ticked["run_id"].tolist(), ticked["state"].eq("done").all()
    with st.container(horizontal=True, vertical_alignment="center", key="acts"):
        if len(run_ids) == 1:
            st.button("Open", icon=":material/open_in_new:", type="primary", on_click=_open, args=(run_ids[0],))
        elif done:
            label = f"Differences of these {len(run_ids)}"
            st.button(label, icon=":material/compare:", type="primary", on_click=compare_runs, args=(run_ids,))
        hers = all(visitors.may_change("runs", run_id) for run_id in run_ids)
        if hers:
            _write_on(ticked)
        if len(run_ids) == 1 and done:
            st.download_button(
                "Export", lambda: packed(resources.store(), run_ids[0]), f"{run_ids[0]}{SUFFIX}", "application/zip",
                on_click="ignore", icon=":material/download:", key=f"export_{run_ids[0]}",
                help="One file with the run's items, scores and numbers, which another Pairlens can import.",
            )  # fmt: skip
        if hers and st.button(
            "Delete", icon=":material/delete:", help="Can be undone until the end of the day (UTC)."
        ):
            with notices.explained_errors():
                delete(resources.store(), *run_ids)
                publish_tables()
                _close(run_ids)
                st.rerun()


def _open(run_id: str) -> None:
    st.query_params["run"] = run_id


def _close(run_ids: list[str]) -> None:
    """What is deleted is not shown below the list."""
    if st.query_params.get("run") in run_ids:
        del st.query_params["run"]


def _write_on(ticked: pd.DataFrame) -> None:
    """Tags for all that are ticked, a note for one."""
    rows = ticked.to_dict("records")
    common = sorted(set.intersection(*({*row["tags"]} for row in rows)))
    version = "_".join(ticked["run_id"])
    with (
        st.popover("Tags and note" if len(rows) == 1 else "Tags", icon=":material/label:"),
        st.form(f"write_on_{version}", border=False),
    ):
        typed = st.text_input("Tags, separated by commas", ", ".join(common), placeholder="paper, seed 2")
        note = st.text_area("Note", rows[0]["note"]) if len(rows) == 1 else None
        if st.form_submit_button("Save", icon=":material/save:"):
            with notices.explained_errors():
                wanted = {one.strip() for one in typed.split(",") if one.strip()}
                for row in rows:
                    tag(resources.store(), row["run_id"], wanted, {*common} - wanted)
                    if note is not None:
                        write_note(resources.store(), row["run_id"], note)
                st.rerun()
