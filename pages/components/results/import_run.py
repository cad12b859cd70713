"""A run from another machine, or scores made without us, become a run here."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.settings import ROOT
from core.store import jobs, uploads
from pages.components.shared import notices
from pages.components.shared.rights import rights

_SCRIPT = ROOT / "data" / "programs" / "score_anywhere.py"
_TAKEN = "imported"


def import_run() -> None:
    """A popover that takes a file and starts the import as a job; how the last one went is said beside it.

    Nothing where visitors may not import.
    """
    if not rights().may("import"):
        return
    with st.popover("Import", icon=":material/upload:", key="import"):
        given = st.file_uploader(
            "An exported run (.pairlens.zip), a file from score_anywhere.py (.jsonl.gz), or a table with one row per "
            "token",
            key="import_file",
        )
        with st.expander("For a table with one row per token"):
            model = st.text_input(
                "Model", key="import_model", persist_state="session", help="If the table does not name it."
            )
            unit = st.selectbox(
                "Unit", ("", "nats", "bits"), key="import_unit", format_func=lambda one: one or "guess",
                persist_state="session",
            )  # fmt: skip
        if st.button("Import this file", type="primary", disabled=given is None) and given is not None:
            with notices.explained_errors():
                options = [*_option("--model", model), *_option("--unit", unit)]
                _start(uploads.keep([(given.name, given.getvalue())]), options)
        notices.write(
            "Is the model on a cluster or in a notebook? Score there with this script, which needs only Python, "
            "torch and transformers, and import its output here.", "pl-quiet",
        )  # fmt: skip
        st.download_button(
            "score_anywhere.py", _SCRIPT.read_bytes, _SCRIPT.name, "text/x-python", on_click="ignore",
            icon=":material/download:",
        )  # fmt: skip
    _say_how_it_went()


def _start(path: Path, options: list[str]) -> None:
    job = jobs.start(["import", str(path), *options], f"Importing {path.name}")
    st.session_state[_TAKEN] = job.id
    st.rerun()


def _option(name: str, value: str) -> list[str]:
    return [name, value.strip()] if value.strip() else []


def _say_how_it_went() -> None:
    """About the import that this visitor started: what was wrong, or the run, once."""
    started = st.session_state.get(_TAKEN)
    job = next((one for one in jobs.jobs() if one.id == started), None)
    if job is None or not job.ended:
        return
    if job.state == "done" and job.result:
        st.query_params["run"] = job.result["run_id"]
        del st.session_state[_TAKEN]
        st.rerun()
    notices.error(job.error or "The import was cancelled.")
