"""What takes room on this machine, what can be freed, and three things to do about it."""

import pandas as pd
import streamlit as st

from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.jobs import watch_jobs
from pages.components.shared.rights import rights
from pages.components.shared.tables import show_table
from pairlens.charts.store import room
from pairlens.settings import settings
from pairlens.store import Store, jobs
from pairlens.store.maintenance import Space, space

VERB = "store"
COUNTED = "ways of scoring"
"""What compaction goes through one by one: a model under a policy."""


def show_maintenance() -> None:
    store = Store()
    folders = [store.folder / "runs", *sorted((store.folder / "scores").glob("*/"))]
    used = _space_used(*((str(folder), folder.stat().st_mtime_ns) for folder in folders if folder.exists()))
    if not used.total:
        notices.note("Nothing is stored yet. Once you have run a benchmark, the space it takes is shown here.")
        return
    _show_room(used)
    st.header("Maintenance", anchor=False)
    _offer(
        "verify", "Verify", "verified",
        "Checks every stored file. Damaged files are set aside, and their texts are scored again when they are "
        "next needed.",
    )  # fmt: skip
    joined = "There is nothing to merge."
    if used.small:
        joined = (
            f"{notices.counted(used.small, 'small part')} can be merged, so that the store opens faster. No "
            "number changes, and scoring can continue meanwhile."
        )
    _offer("compact", "Compact", "compress", joined, needed=bool(used.small))
    days, minutes = settings().gc_days, settings().replaced_minutes
    old = f"{notices.size(used.unused)} can be freed" if used.unused else "nothing to delete at present"
    waits = f" {notices.size(used.replaced)} of merged parts can be deleted {minutes:g} minutes after merging."
    _offer(
        "gc", "Clean up", "cleaning_services",
        f"Deletes scores older than {days:g} day{'' if days == 1 else 's'} that no run uses, damaged files, and "
        f"runs deleted before today: {old}.{waits if used.replaced else ''} Runs in the list keep all their scores.",
    )  # fmt: skip
    watch_jobs(VERB, COUNTED)
    latest = next((job for job in jobs.jobs() if job.ended and job.arguments[0] == VERB), None)
    if latest and latest.state == "done":
        notices.note(f"{latest.title.partition(':')[0]}: {(latest.result or {}).get('said', 'done.')}")
    elif latest and latest.error:
        notices.error(latest.error)


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
    show_table(
        rows.assign(megabytes=rows["bytes"] / 1e6)[["group", "task", "requests", "parts", "megabytes"]],
        alt="Space used, in megabytes",
        column_config={
            "group": "What",
            "task": "Benchmark",
            "requests": st.column_config.NumberColumn("Texts", format="localized"),
            "parts": st.column_config.NumberColumn("Parts", format="localized"),
            "megabytes": st.column_config.NumberColumn("MB", format="%.2f"),
        },
    )


def _offer(command: str, label: str, icon: str, about: str, *, needed: bool = True) -> None:
    """A button that starts a command, with what will happen, off if there is nothing to do or it runs already."""
    busy = any(not job.ended and job.arguments[:2] == (VERB, command) for job in jobs.jobs())
    with st.container(gap="xsmall"):
        st.button(
            label, icon=f":material/{icon}:", key=command, disabled=busy or not needed,
            on_click=_start, args=(command, label), width=140,
        )  # fmt: skip
        notices.text(about, "pl-quiet")


def _start(command: str, label: str) -> None:
    with notices.explained_errors():
        rights().need("housekeeping")
        jobs.start((VERB, command), f"{label}: stored scores")


@st.cache_data(max_entries=4, ttl=20.0, show_spinner="Counting …")
def _space_used(*seen: tuple[str, int]) -> Space:  # noqa: ARG001
    """The room the store takes, counted again when a run or part appears, a job ends, or after some seconds."""
    return space(Store())
