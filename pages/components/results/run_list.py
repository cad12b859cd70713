"""All runs here, and plans of many: find, open, compare, write on them, delete, bring back, export."""

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from threading import Thread

import pandas as pd
import streamlit as st

from pages.components.results.comparison import compare_runs
from pages.components.results.stored_run import page_of
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, show_downloads
from pages.components.shared.rights import rights
from pages.components.shared.tables import ROW, show_table
from pairlens.api.example_runs import make_examples as examples
from pairlens.evaluation.archive import SUFFIX, packed
from pairlens.evaluation.result import short_names
from pairlens.evaluation.run_list import Wanted, all_tags, chosen, in_words, run_list, sizes_of_scores
from pairlens.evaluation.samples import is_sample
from pairlens.identity import digest
from pairlens.messages import counted
from pairlens.places import program
from pairlens.plans.running import DONE, RUNNING, PlanRecord, records
from pairlens.store import catalog, visitors
from pairlens.store.maintenance import damage
from pairlens.store.removal import delete, deleted, restore
from pairlens.store.run_annotations import tag, write_note

_SHOWN = 200
_TICKED = "ticked_runs"
_BRIEF = 4
"""Rows to be seen while a run is open: it stands below the list."""
_COLUMNS = {
    "task_title": st.column_config.TextColumn("Task", width=130),
    "model": st.column_config.TextColumn("Model", width=125),
    "shown": st.column_config.TextColumn("Result (95 % interval)", width=260),
    "title": st.column_config.TextColumn("Run", width=190),
    "n": st.column_config.NumberColumn("Items", format="localized", width=65),
    "tags": st.column_config.ListColumn("Tags", width=90),
    "created": st.column_config.DatetimeColumn("Started (UTC)", format="D MMM YY, HH:mm", width=125),
    "state": st.column_config.TextColumn("State", width=60),
    "room": "On disk",
    "origin": "Source",
    "note": st.column_config.TextColumn("Note", width="medium"),
    "signature": st.column_config.TextColumn("Signature", width="large"),
    "visitor": "Visitor",
}
_IF_ANY = ("tags", "note", "visitor")
_WORDS = "words"
_SECONDS = 2.0
_HEIGHT = 420
_PLAN_COLUMNS = {
    "model": "Model",
    "task": "Task",
    "data": "Data",
    "state": "State",
    "share": st.column_config.ProgressColumn("Texts", format="percent", min_value=0, max_value=1),
    "reason": "Reason",
}
_ENDED = {"done": "done", "cancelled": "cancelled", "failed": "ended, not all of it", "lost": "killed"}


def show_run_list() -> None:
    runs = run_list(resources.store(), _sizes())
    for sentence in damage(resources.store()):
        notices.warning(sentence)
    if runs.empty:
        if visitors.current() != visitors.EVERYTHING and any((resources.store().folder / "runs").glob("[!.]*")):
            notices.note("None of the runs here is yours: each visitor sees her own.")
        _make_examples()
    else:
        _show_table(_choose_among(runs), len(runs))
    with st.container(horizontal=True, vertical_alignment="center"):
        if rights().may("import"):
            st.button("Bring scores", icon=":material/upload:", on_click=_bring)
        if removed := deleted(resources.store()):
            label = f"Undo: {notices.counted(len(removed), 'deleted run')}"
            with st.popover(label, icon=":material/undo:", key="undo"):
                notices.write("Deleted runs are kept until the end of the day (UTC).", "pl-quiet")
                for run in removed:
                    label = f"Restore {notices.literal(f'{run.title} · {run.model}')}"
                    if st.button(label, key=f"restore_{run.date}_{run.run_id}"):
                        with notices.explained_errors():
                            restore(resources.store(), run.run_id)
                            _publish_tables()
                            st.rerun()
        if not runs.empty:
            show_downloads("runs", runs.assign(tags=runs["tags"].map(", ".join)), files=[*_archives(runs)])


def _archives(runs: pd.DataFrame) -> Iterator[File]:
    """Of each finished run that is ticked or opened, one file with items, scores and numbers, to be imported."""
    wanted = {*st.session_state.get(_TICKED, ()), st.query_params.get("run", "")}
    for run_id in runs[runs["run_id"].isin(wanted) & runs["state"].eq("done")]["run_id"]:
        name = f"{run_id}{SUFFIX}"
        yield File(name, partial(packed, resources.store(), run_id), name, "application/zip")


def _show_table(runs: pd.DataFrame, n_all: int) -> None:
    if runs.empty:
        notices.note(f"None of {counted(n_all, 'run')} matches. Remove a word or a filter.")
        return
    ours = runs["data"].map(is_sample)
    rows = runs.loc[ours.sort_values(kind="stable").index].head(_SHOWN)
    named = zip(rows["title"], rows["task_title"], strict=True)
    rows = rows.assign(
        room=rows["size"].map(notices.size),
        model=rows["model"].map(short_names([*rows["model"]])),
        shown=[
            in_words(*row) if row[0] else "no number" for row in zip(rows["headline"], rows["metric"], strict=True)
        ],
        title=[title.removeprefix(f"{task}: ") for title, task in named],
        visitor=visitors.told_to_operator("runs", rows["run_id"]),
    )
    columns = {name: column for name, column in _COLUMNS.items() if name not in _IF_ANY or rows[name].any()}
    before = [place for place, run_id in enumerate(rows["run_id"]) if run_id in st.session_state.get(_TICKED, ())]
    brief = len(rows) > _BRIEF and "run" in st.query_params
    event = show_table(
        rows[list(columns)], column_config=columns, on_select="rerun", selection_mode="multi-row",
        height=ROW * (_BRIEF + 1) if brief else "auto",
        key=f"run_list_{digest(' '.join(rows['run_id']))}", alt="One row per run: task, model, result, tags, date",
        selection_default={"selection": {"rows": before}},
    )  # fmt: skip
    ticked = rows.iloc[[place for place in event.selection.rows if place < len(rows)]]
    st.session_state[_TICKED] = ticked["run_id"].tolist()
    if not ticked.empty:
        _act_on(ticked)
        return
    newest = f", the newest {_SHOWN} shown" if len(runs) > _SHOWN else ""
    notices.write(
        "$n$newest. Tick one to open it, two or more to see their differences.$last", "pl-quiet", newest=newest,
        last=" Runs of our samples, which pages make when they are opened, stand last." if ours.any() else "",
        n=notices.counted(len(runs), "run"),
    )  # fmt: skip


@st.cache_data(ttl="30s", show_spinner=False)
def _sizes() -> pd.Series:
    """What the scores of each run take up, as it was half a minute ago at most."""
    return sizes_of_scores(resources.store())


def _choose_among(runs: pd.DataFrame) -> pd.DataFrame:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input("Find", key=_WORDS, bind="query-params", placeholder="words, model, tag …", width=260)
        with st.popover("Filter", icon=":material/filter_list:", key="run_filter"):
            tasks = _several("Task", dict(zip(runs["task"], runs["task_title"], strict=True)))
            models = _several("Model", {name: name for name in runs["model"]})
            states = _several("State", {name: name for name in runs["state"]})
            tags = _several("Tag", {name: name for name in all_tags(runs)})
    return chosen(runs, Wanted(words, tasks, models, states, tags))


def _several(label: str, titles: dict[str, str]) -> tuple[str, ...]:
    key = f"only_{label}"
    st.session_state[key] = [one for one in st.session_state.get(key, []) if one in titles]
    return tuple(
        st.multiselect(
            label, sorted(titles), key=key, format_func=titles.__getitem__, placeholder="all", width=260,
            persist_state="session",
        )
    )  # fmt: skip


def _act_on(ticked: pd.DataFrame) -> None:
    run_ids, done = ticked["run_id"].tolist(), ticked["state"].eq("done").all()
    with st.container(horizontal=True, vertical_alignment="center", key="acts"):
        if len(run_ids) == 1:
            if done and st.button("Open", icon=":material/open_in_new:", type="primary"):
                page, link = page_of(run_ids[0])
                st.switch_page(page, query_params=link)
            st.button("Details", icon=":material/expand_more:", on_click=_open, args=(run_ids[0],))
        elif done:
            label = f"Differences of these {len(run_ids)}"
            st.button(label, icon=":material/compare:", type="primary", on_click=compare_runs, args=(run_ids,))
        may_change = all(visitors.may_change("runs", run_id) for run_id in run_ids)
        if may_change:
            _write_on(ticked)
        if may_change and st.button(
            "Delete", icon=":material/delete:", help="Can be undone until the end of the day (UTC)."
        ):
            with notices.explained_errors():
                delete(resources.store(), *run_ids)
                _publish_tables()
                if st.query_params.get("run") in run_ids:  # what is deleted is not shown below the list
                    del st.query_params["run"]
                st.rerun()


def _bring() -> None:
    st.query_params["view"] = "bring"


def _open(run_id: str) -> None:
    st.query_params["run"] = run_id


def _write_on(ticked: pd.DataFrame) -> None:
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


def _make_examples() -> None:
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


def _publish_tables() -> None:
    """Write them anew beside the page, which never reads them: that takes seconds where there are many runs."""
    Thread(target=catalog.publish, args=(resources.store(),), daemon=True).start()


def show_plans() -> None:
    """Draw plans that run, and keep drawing; below a heading, those that ended before everything was done."""
    if not rights().may("housekeeping"):  # they name folders, and run from the command line
        return
    plans = records()
    if running := [plan.file for plan in plans if plan.state == RUNNING]:
        st.fragment(_draw_plans, run_every=_SECONDS)(running)
    for plan in plans:
        if plan.state not in (RUNNING, DONE):
            counts = f"{_ENDED[plan.state]}, {_count_done(plan)} of {counted(len(plan.cells), 'run')} done"
            with st.expander(f"Plan {Path(plan.file).name}: {counts}"):
                notices.write("What is missing is run by: $command", command=f"{program()} plan run {plan.file}")
                _show_cells(plan)


def _draw_plans(files: list[str]) -> None:
    watched = [plan for plan in records() if plan.file in files and plan.state == RUNNING]
    if len(watched) < len(files):
        st.rerun()
    for plan in watched:
        notices.write(
            "Plan $name: $done of $total runs done · $minutes min", name=Path(plan.file).name,
            done=_count_done(plan), total=len(plan.cells), minutes=f"{plan.seconds / 60:.0f}",
        )  # fmt: skip
        _show_cells(plan)


def _count_done(plan: PlanRecord) -> int:
    return sum(cell.state == DONE for cell in plan.cells)


def _show_cells(plan: PlanRecord) -> None:
    table = pd.DataFrame([asdict(cell) for cell in plan.cells])
    table["share"] = (table["done"] / table["total"]).where(table["total"] > 0)
    shown = [name for name in _PLAN_COLUMNS if name != "reason" or table["reason"].any()]
    show_table(
        table[shown], column_config=_PLAN_COLUMNS, height=_HEIGHT if len(table) > 10 else "content",
        alt="One row per model and task: how much of it is scored",
    )  # fmt: skip
