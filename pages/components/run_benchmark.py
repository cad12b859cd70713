"""Before a run: what it will take, what is already there, and the button that starts it as a job."""

from __future__ import annotations

import shlex
from pathlib import Path

import streamlit as st

from core import jobs
from core.cli import command
from core.estimate import estimate, in_words
from core.evaluate import Plan
from core.settings import settings
from core.store import Store
from pages.components import notices


def run_benchmark(planned: Plan, data: Path, store: Store) -> None:
    """Say how long scoring what is missing will take, and offer to start it; nothing while just this is running."""
    arguments = command.zero_shot(
        planned.task.name, data.resolve(), planned.recipe, settings().home.resolve() / "reports"
    )
    latest = next((job for job in jobs.jobs() if job.arguments == tuple(arguments)), None)
    if latest and not latest.ended:
        return
    missing = planned.missing(store)
    expected = estimate(missing, planned.recipe, store)
    notices.write(
        "<strong>$pairs</strong>, about $time here ($source).",
        pairs=notices.counted(planned.n_items, "pair"),
        time=in_words(expected.seconds),
        source="measured on this machine" if expected.measured else "a first guess for this machine",
    )
    _say_how_it_ended(latest, len(planned.requests) - missing, len(planned.requests))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Run", type="primary", icon=":material/play_arrow:"):
            jobs.start(arguments, f"{planned.task.title} · {data.name} · {planned.recipe.model.name}")
            st.rerun()
        with st.popover("The same from the command line", icon=":material/terminal:"):
            st.code(shlex.join(["python", "-m", "core", *arguments]), language="bash", wrap_lines=True)


def _say_how_it_ended(latest: jobs.Job | None, scored: int, texts: int) -> None:
    """What became of the latest attempt at exactly this, and what is already there."""
    if latest and latest.state in ("failed", "lost"):
        notices.error(latest.error)
    stopped = "Stopped. " if latest and latest.state == "cancelled" else ""
    if stopped or scored:
        notices.note(f"{stopped}{scored:,} of {texts:,} texts are already scored: Run goes on from there.")
