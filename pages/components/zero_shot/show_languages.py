"""Finished runs by language and phenomenon, beside how each model's tokenizer cuts the language."""

import json

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.show_result import show_evidence, show_findings
from pairlens.evaluation.result import names_of
from pairlens.reports.languages import ALL, ORDERS, by_language, ordered, result
from pairlens.tasks import TASKS
from pairlens.types import Task

_WHOLE, _EACH = "all phenomena", "each phenomenon"
_MOST = 40
"""Runs to choose from."""


def in_languages(task: Task) -> bool:
    """Whether a task is about languages: its items have one, or it is one of the sets of other languages."""
    return "language" in task.groups or "phenomenon" in task.groups


def show_languages(task: Task) -> None:
    """Choose runs, a phenomenon, languages and an order; then the charts and the table."""
    chosen = _choose_runs(task)
    if not chosen:
        notices.note("No run of such a set is finished yet: run one above.")
        return
    rows = _by_language(tuple(chosen))
    rows = rows.assign(model=rows["run_id"].map(chosen))
    shown = _choose_rows(rows)
    if shown.empty:
        notices.note("Nothing is left: choose other languages.")
        return
    answer = result(shown, resources.store())
    show_findings(answer)
    show_evidence(answer, key="tab_of_languages")


def _choose_runs(task: Task) -> dict[str, str]:
    """The name of each chosen run by its id; at first, the newest of each model on this task."""
    runs = resources.store().runs()
    sets = [name for name in dict.fromkeys(runs["task"]) if name in TASKS and in_languages(TASKS[name])]
    runs = runs[runs["task"].isin(sets) & (runs["state"] == "done")].head(_MOST)
    manifests = [json.loads(text) for text in runs["manifest"]]
    names: dict[str, str] = {}
    for name in sets:  # a model that is asked two sets is one model
        of_set = [manifest for manifest in manifests if manifest["task"] == name]
        names |= dict(zip([one["run_id"] for one in of_set], names_of(of_set), strict=True))
    titles = {
        manifest["run_id"]: f"{TASKS[manifest['task']].title}: {names[manifest['run_id']]}" for manifest in manifests
    }
    own = runs[runs["task"] == task.name].drop_duplicates("model")["run_id"]
    picked = st.multiselect(
        "Runs", list(titles), default=list(own), format_func=titles.__getitem__, key=f"language_runs_{task.name}"
    )
    return {run: names[run] for run in picked}


def _choose_rows(rows: pd.DataFrame) -> pd.DataFrame:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        phenomena = [name for name in dict.fromkeys(rows["phenomenon"]) if name != ALL]
        phenomenon = st.selectbox("Phenomenon", [_WHOLE, _EACH, *phenomena], key="language_phenomenon", width=240)
        order = st.selectbox("Order", ORDERS, key="language_order", width=200)
        read = st.toggle("Only what a model can read", key="language_read")
    languages = st.multiselect("Languages", sorted(set(rows["name"])), placeholder="All", key="language_names")
    whole = {_WHOLE: rows["phenomenon"] == ALL, _EACH: rows["phenomenon"] != ALL}
    rows = rows[whole.get(str(phenomenon), rows["phenomenon"] == phenomenon)]
    rows = rows[rows["name"].isin(languages)] if languages else rows
    rows = rows[rows["unread"] == ""] if read else rows
    return ordered(rows, str(order))


@resources.remembered("Reading …", 32)
def _by_language(run_ids: tuple[str, ...]) -> pd.DataFrame:
    return by_language([resources.result(run_id) for run_id in run_ids])
