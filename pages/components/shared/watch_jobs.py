"""Long work under way: how far it is, how long it will still take, and a way to stop it.

State is on disk, so what is shown here is the same after a reload, on another page, in another browser.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.messages import Message
from core.runs.estimate import duration_in_words
from core.store import Store, jobs, visitors
from pages.components.shared import notices
from pages.components.shared.run_request import RunRequest
from pages.components.shared.show_table import show_table

TEXTS = Message("texts")
_SECONDS = 0.7
_SECONDS_BY_GROUP = 3.0
_MOST_GROUPS = 120


def watch_jobs(verb: str, counted: str = TEXTS, said: Callable[[str], str] = str) -> None:
    """Draw the jobs of a command that run or wait, and keep drawing while there are any.

    `counted`: what their steps are; `said` puts sentences into the page's language.
    """
    active = [job.id for job in jobs.jobs() if not job.ended and job.arguments[0] == verb]
    if active:
        st.fragment(_draw, run_every=_SECONDS)(active, counted, said)


def watch_paradigms(asked: Sequence[RunRequest], store: Store) -> None:
    """Draw how much of each paradigm is scored, for the first model whose job runs."""
    for one in asked:
        latest = jobs.latest(one.arguments())
        if latest and latest.state == "running":
            st.fragment(_draw_paradigms, run_every=_SECONDS_BY_GROUP)(one, store)
            return


def cancel(identifier: str) -> None:
    """Callback: end the job."""
    jobs.cancel(identifier)


def _draw(identifiers: list[str], counted: str, said: Callable[[str], str]) -> None:
    watched = [job for job in jobs.jobs() if job.id in identifiers and not job.ended]
    if len(watched) < len(identifiers):
        st.rerun()
    for job in watched:
        with st.container(horizontal=True, vertical_alignment="center", key=f"job_{job.id}"):
            with st.container(gap=None):
                notices.write("$title", title=job.title)
                st.progress(job.done / job.total if job.total else 0.0)
                notices.write("$state$whose", "pl-quiet", state=_state(job, counted, said), whose=_whose(job))
            st.button(said("Cancel"), key=f"cancel_{job.id}", icon=":material/stop:", on_click=cancel, args=(job.id,))


def _draw_paradigms(one: RunRequest, store: Store) -> None:
    table = one.planned.scored_by_group(store)
    if not 1 < len(table) <= _MOST_GROUPS:
        return
    show_table(
        table, height=240, alt="One row per paradigm: how much of it is scored",
        column_config={
            "group": "Paradigm",
            "done": st.column_config.ProgressColumn("Scored", format="percent", min_value=0, max_value=1),
            "texts": "Texts",
        },
    )  # fmt: skip


def _whose(job: jobs.Job) -> str:
    """For the operator, whose job it is."""
    whose = visitors.short([job.visitor]) if visitors.current() == visitors.EVERYTHING else ""
    return f" · visitor {whose}" if whose else ""


def _state(job: jobs.Job, counted: str, said: Callable[[str], str]) -> str:
    if job.state == "queued":
        return said(Message("Waits for its turn: place {place} in the queue.", place=job.place))
    if not job.total:
        return said("Starting …")
    parts = [Message("{done:,} of {total:,} {counted}", done=job.done, total=job.total, counted=counted)]
    if job.seconds_left:
        rate = (job.total - job.done) / job.seconds_left
        parts.append(Message("{rate:,.0f} per second", rate=rate))
        parts.append(Message("about {time} left", time=duration_in_words(job.seconds_left)))
    return " · ".join(map(said, parts))
