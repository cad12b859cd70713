"""Bring scores: files of other programs, what was understood of them and what was not, and the runs they become."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.components.results.stored_run import page_of
from pages.components.shared import notices, resources
from pages.components.shared.given_files import given_file
from pages.components.shared.jobs import watch_jobs
from pages.components.shared.rights import rights
from pages.components.shared.tables import show_table
from pairlens.evaluation.imported_scores.sources import Options, Source, recognised
from pairlens.evaluation.run_list import headline_of
from pairlens.files.tables import ending, read_table
from pairlens.places import bundled
from pairlens.sharing import why_not
from pairlens.store import jobs

_SCRIPT = bundled("programs", "score_anywhere.py")
_JOB = "brought_by"
_ROLES = {
    "text": {"sentence": "Texts", "logprob": "Log-probabilities", "item": "Pair", "label": "Good or bad"},
    "token": {"token": "Tokens", "sentid": "Sentence", "logprob": "Log-probabilities", "surprisal": "or surprisals"},
    "verdict": {"item": "Items", "correct": "Right or wrong", "group": "Paradigm"},
}
"""By what a row of a table is, the roles of its columns."""
_ROWS = {"text": "a text with its score", "token": "a token with its score", "verdict": "an item, right or wrong"}


def show_bring_scores() -> None:
    """Drop files; see what each is; store them as runs."""
    if not rights().may("import"):
        notices.note(why_not("import"))
        return
    watch_jobs("import")
    notices.write(
        "Samples of lm-evaluation-harness (with the results beside them), logs of inspect-ai, predictions of BabyLM "
        "or StereoSet with their data, tables with a score per token or text or a verdict per item, runs that "
        "Pairlens exported. No model is needed.", "pl-quiet",
    )  # fmt: skip
    if path := given_file("Files that belong together", "brought_files", "brought", several=True):
        with notices.explained_errors():
            _show_files(path)
    else:
        _offer_script()
    _show_outcome()


def _show_files(path: Path) -> None:
    sources, unknown = _looked_at(path, {})
    tables = [file for file, _ in unknown if ending(file) in (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl")]
    columns: dict[str, str] = {}
    if len(tables) == 1:
        columns = _choose_columns(tables[0])
        sources, unknown = _looked_at(path, columns) if columns else (sources, unknown)
    rows = [{"files": source.names, "what": source.about, "problem": ""} for source in sources]
    rows += [{"files": file.name, "what": "not understood", "problem": problem} for file, problem in unknown]
    shown = {"files": "Files", "what": "Understood as", "problem": "Why not"}
    show_table(
        pd.DataFrame(rows)[[name for name in shown if name != "problem" or unknown]], column_config=shown,
        alt="One row per source: its files, what they are, what is wrong",
    )  # fmt: skip
    if not sources:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        options = {option for source in sources for option in source.asks}
        named = {}
        if "model" in options:
            typed = st.text_input("Model", key="brought_model", width=220, help="If no file names it.")
            named["--model"] = typed.strip()
        if "unit" in options:
            named["--unit"] = st.selectbox(
                "Unit", ("", "nats", "bits"), key="brought_unit", width=160,
                format_func=lambda one: one or "recognised",
            )  # fmt: skip
        if st.button("Store as runs", type="primary", icon=":material/upload:"):
            arguments = [part for name, value in named.items() if value for part in (name, value)]
            arguments += [part for role, name in columns.items() for part in ("--column", f"{role}={name}")]
            job = jobs.start(["import", str(path), *arguments], f"Bringing {path.name}")
            st.session_state[_JOB] = job.id
            st.rerun()


@st.cache_data(max_entries=8, show_spinner="Looking at the files …")
def _looked_at(path: Path, columns: Mapping[str, str]) -> tuple[list[Source], list[tuple[Path, str]]]:
    return recognised([path], Options.of(columns))


def _choose_columns(file: Path) -> dict[str, str]:
    """The column of each role, for a table whose names say nothing."""
    names = [*map(str, read_table(file).columns)]
    with st.container(border=True):
        kind = st.segmented_control(
            f"A row of {notices.literal(file.name)} is",
            list(_ROWS),
            key="brought_rows",
            format_func=lambda one: str(_ROWS[one]),
        )
        if not kind:
            return {}
        with st.container(horizontal=True):
            chosen = {
                role: st.selectbox(label, ("", *names), key=f"brought_{role}", width=200)
                for role, label in _ROLES[kind].items()
            }
    return {role: name for role, name in chosen.items() if name}


def _show_outcome() -> None:
    """How the last one went: runs to open, what was noticed, what could not be used."""
    job = next((job for job in jobs.jobs() if job.id == st.session_state.get(_JOB)), None)
    if job is None or not job.ended:
        return
    stored = (job.result or {}).get("runs") or []
    for place, run in enumerate(stored):
        manifest = resources.store().manifest(run)
        with st.container(border=True):
            number = headline_of(manifest) or "no number"
            notices.write("$title, $model: $number", title=manifest["title"], model=manifest["model"], number=number)
            for note in (manifest.get("stated") or {}).get("notes", ()):
                notices.write("$note", "pl-quiet", note=note)
            page, link = page_of(run)
            if st.button("Open", key=f"open_brought_{place}", icon=":material/open_in_new:"):
                st.switch_page(page, query_params=link)
    if job.state != "done":
        notices.error(job.error or "It was cancelled.")


def _offer_script() -> None:
    notices.write(
        "Is the model on a cluster or in a notebook? Score there with this script, which needs only Python, torch "
        "and transformers, and bring its output here.", "pl-quiet",
    )  # fmt: skip
    st.download_button(
        "score_anywhere.py", _SCRIPT.read_bytes, _SCRIPT.name, "text/x-python", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip
