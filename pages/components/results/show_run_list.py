"""All runs on this machine: find, open, compare, write on them, delete and bring back, export and import."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.identity import digest
from core.store import visitors
from core.store.deleted import deleted, restore
from core.store.maintenance import damage
from pages.components.results.act_on_runs import act_on_runs
from pages.components.results.choose_run_filter import choose_run_filter
from pages.components.results.import_run import import_run
from pages.components.results.make_examples import make_examples
from pages.components.results.publish_tables import publish_tables
from pages.components.results.resources import runs as all_runs
from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_downloads
from pages.components.shared.jobs import watch_jobs
from pages.components.shared.tables import show_table

_SHOWN = 200
_TICKED = "ticked_runs"
_BRIEF = 4
"""Rows to be seen while a run is open: it stands below the list."""
_ROW = 35
"""Height of a row in pixels."""
_COLUMNS = {
    "task_title": st.column_config.TextColumn("Task", width=150),
    "model": st.column_config.TextColumn("Model", width=135),
    "shown": st.column_config.TextColumn("Result (95 % interval)", width=165),
    "title": st.column_config.TextColumn("Run", width=165),
    "n": st.column_config.NumberColumn("Items", format="localized", width=65),
    "tags": st.column_config.ListColumn("Tags", width=90),
    "created": st.column_config.DatetimeColumn("Started (UTC)", format="D MMM YY, HH:mm", width=125),
    "state": st.column_config.TextColumn("State", width=60),
    "room": "On disk",
    "origin": "Source",
    "note": st.column_config.TextColumn("Note", width="medium"),
    "signature": st.column_config.TextColumn("Signature", width="large"),
}


def show_run_list() -> None:
    """One row per run; what can be done with those that are ticked stands below."""
    watch_jobs("import")
    runs = all_runs()
    for sentence in damage(resources.store()):
        notices.warning(sentence)
    if runs.empty:
        if visitors.current() != visitors.EVERYTHING and any((resources.store().folder / "runs").glob("[!.]*")):
            notices.note("None of the runs here is yours: each visitor sees her own.")
        make_examples()
    else:
        _show_table(choose_run_filter(runs), len(runs))
    with st.container(horizontal=True, vertical_alignment="center"):
        import_run()
        _show_deleted_runs()
        if not runs.empty:
            show_downloads("runs", runs.assign(tags=runs["tags"].map(", ".join)))


def _show_table(runs: pd.DataFrame, n_all: int) -> None:
    if runs.empty:
        notices.note(f"None of the {n_all:,} runs matches. Remove a word or a filter.")
        return
    rows = runs.head(_SHOWN)
    rows = rows.assign(
        room=rows["size"].map(notices.size),
        shown=rows["headline"].where(rows["headline"] != "", "no number"),
        title=[_own(title, task) for title, task in zip(rows["title"], rows["task_title"], strict=True)],
        visitor=visitors.told_to_operator("runs", rows["run_id"]),
    )
    columns = {**_COLUMNS, "visitor": "Visitor"} if rows["visitor"].any() else _COLUMNS
    before = [place for place, run_id in enumerate(rows["run_id"]) if run_id in st.session_state.get(_TICKED, ())]
    brief = len(rows) > _BRIEF and "run" in st.query_params
    event = show_table(
        rows[list(columns)], column_config=columns, on_select="rerun", selection_mode="multi-row",
        height=_ROW * (_BRIEF + 1) if brief else "auto",
        key=f"run_list_{digest(' '.join(rows['run_id']))}", alt="One row per run: task, model, result, tags, date",
        selection_default={"selection": {"rows": before}},
    )  # fmt: skip
    ticked = rows.iloc[[place for place in event.selection.rows if place < len(rows)]]
    st.session_state[_TICKED] = ticked["run_id"].tolist()
    if not ticked.empty:
        act_on_runs(ticked)
        return
    newest = f", the newest {_SHOWN} shown" if len(runs) > _SHOWN else ""
    notices.write(
        "$n$newest. Tick one to open it, two or more to see their differences.", "pl-quiet", newest=newest,
        n=notices.counted(len(runs), "run"),
    )  # fmt: skip


def _own(title: str, task: str) -> str:
    """What a run's title adds to its task, which stands beside it."""
    return title.removeprefix(f"{task}: ")


def _show_deleted_runs() -> None:
    """A popover with those that can be restored; nothing if there are none."""
    found = deleted(resources.store())
    if not found:
        return
    with st.popover(f"Undo: {notices.counted(len(found), 'deleted run')}", icon=":material/undo:", key="undo"):
        notices.write("Deleted runs are kept until the end of the day (UTC).", "pl-quiet")
        for one in found:
            label = notices.literal(f"{one.title} · {one.model}")
            if st.button(f"Restore {label}", key=f"restore_{one.date}_{one.run_id}"):
                with notices.explained_errors():
                    restore(resources.store(), one.run_id)
                    publish_tables()
                    st.rerun()
