"""What takes room on this machine, what can be freed, and three things to do about it."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.charts.store import room
from core.settings import settings
from core.store import Store, jobs
from core.store.maintenance import Space, space
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.jobs import watch_jobs
from pages.components.shared.rights import rights
from pages.components.shared.tables import show_table

VERB = "store"
COUNTED = "ways of scoring"
"""What compaction goes through one by one: a model under a policy."""
_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Work:
    """A button: the command behind it, what it is called, what will happen, and whether there is anything to do."""

    command: str
    label: str
    icon: str
    about: str
    needed: bool


def show_maintenance() -> None:
    """Space used as a chart and a table, and buttons that check, join and clean."""
    used = _space_used()
    if not used.total:
        notices.note("Nothing is stored yet. Once you have run a benchmark, the space it takes is shown here.")
        return
    _show_room(used)
    st.header("Maintenance", anchor=False)
    for work in _works(used):
        _offer(work)
    watch_jobs(VERB, COUNTED)
    _say_what_came_out()


def _show_room(used: Space) -> None:
    scores = used.scores.rename(columns={"model": "group"})
    others = [{"group": name, "task": "", "bytes": size} for name, size in used.others.items() if size]
    rows = pd.concat([scores, pd.DataFrame(others, columns=["group", "task", "bytes"])], ignore_index=True)
    largest = rows.groupby("group", sort=False)["bytes"].sum()
    of = "scores of " if largest.idxmax() in set(scores["group"]) else ""
    most = f"{of}{largest.idxmax()}, {notices.size(largest.max())}"
    finding = f"{notices.size(used.total)} in all. Largest: {most}."
    notices.text(finding)
    show_chart(room(rows, finding), key="room")
    counts = {name: rows[name].map("{:,.0f}".format).where(rows[name].notna(), "") for name in ("requests", "parts")}
    show_table(
        rows.assign(megabytes=rows["bytes"] / 1e6, **counts)[["group", "task", "requests", "parts", "megabytes"]],
        alt="Space used, in megabytes",
        column_config={
            "group": "What",
            "task": "Benchmark",
            "requests": st.column_config.TextColumn("Texts", alignment="right"),
            "parts": st.column_config.TextColumn("Parts", alignment="right"),
            "megabytes": st.column_config.NumberColumn("MB", format="%.2f"),
        },
    )  # fmt: skip


def _works(used: Space) -> list[Work]:
    days, minutes = settings().gc_days, settings().replaced_minutes
    joined = "There is nothing to merge."
    if used.small:
        joined = (
            f"{notices.counted(used.small, 'small part')} can be merged, so that the store opens faster. No "
            "number changes, and scoring can continue meanwhile."
        )
    old = f"{notices.size(used.unused)} can be freed" if used.unused else "nothing to delete at present"
    waits = (
        f" {notices.size(used.replaced)} of merged parts can be deleted {minutes:g} minutes after merging."
        if used.replaced
        else ""
    )
    return [
        Work(
            "verify", "Verify", "verified",
            "Checks every stored file. Damaged files are set aside, and their texts are scored again when they are "
            "next needed.", needed=True,
        ),
        Work(
            "compact", "Compact", "compress",
            joined, needed=bool(used.small),
        ),
        Work(
            "gc", "Clean up", "cleaning_services",
            f"Deletes scores older than {days:g} day{'' if days == 1 else 's'} that no run uses, damaged files, and "
            f"runs deleted before today: {old}.{waits} Runs in the list keep all their scores.",
            needed=True,
        ),
    ]  # fmt: skip


def _offer(work: Work) -> None:
    busy = any(not job.ended and job.arguments[:2] == (VERB, work.command) for job in jobs.jobs())
    with st.container(gap="xsmall"):
        st.button(
            work.label, icon=f":material/{work.icon}:", key=work.command, disabled=busy or not work.needed,
            on_click=_start, args=(work,), width=140,
        )  # fmt: skip
        notices.text(work.about, "pl-quiet")


def _start(work: Work) -> None:
    with notices.explained_errors():
        rights().need("housekeeping")
        jobs.start((VERB, work.command), f"{work.label}: stored scores")


def _say_what_came_out() -> None:
    """How the latest of these ended, in one sentence."""
    ended = next((job for job in jobs.jobs() if job.ended and job.arguments[0] == VERB), None)
    if ended is None:
        return
    if ended.state == "done":
        notices.note(f"{ended.title.partition(':')[0]}: {(ended.result or {}).get('said', 'done.')}")
    elif ended.error:
        notices.error(ended.error)


def _space_used() -> Space:
    """The room the store takes, counted again when a job ends, a run or part appears, or after some seconds."""
    store = Store()
    folders = [store.folder / "runs", *sorted((store.folder / "scores").glob("*/"))]
    seen = tuple((str(folder), folder.stat().st_mtime_ns) for folder in folders if folder.exists())
    return _space(str(settings().store), seen)


@st.cache_data(max_entries=4, ttl=_SECONDS, show_spinner="Counting …")
def _space(folder: str, seen: tuple[tuple[str, int], ...]) -> Space:  # noqa: ARG001
    return space(Store())
