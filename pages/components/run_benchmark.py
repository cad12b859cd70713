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


def run_benchmark(planned: Plan, data: Path, store: Store, busy: bool) -> None:
    """Say how long scoring what is missing will take, and offer to start it; the page follows the job from there."""
    texts, missing = len(planned.requests), planned.missing(store)
    expected = estimate(missing, planned.recipe, store)
    source = "measured on this machine" if expected.measured else "a first guess for this machine"
    notices.write(
        "<strong>$pairs pairs</strong>, about $time here ($source).",
        pairs=f"{planned.n_items:,}", time=in_words(expected.seconds), source=source,
    )  # fmt: skip
    if missing < texts:
        notices.note(f"Goes on from before: {texts - missing:,} of {texts:,} texts are already scored.")
    arguments = command.zero_shot(
        planned.task.name, data.resolve(), planned.recipe, settings().home.resolve() / "reports"
    )
    _say_how_it_ended(arguments)
    with st.container(horizontal=True, vertical_alignment="center"):
        title = f"{planned.task.title} · {data.name} · {planned.recipe.model.name}"
        if st.button("Run", type="primary", icon=":material/play_arrow:", disabled=busy):
            jobs.start(arguments, title)
            st.rerun()
        with st.popover("The same from the command line", icon=":material/terminal:"):
            st.code(shlex.join(["python", "-m", "core", *arguments]), language="bash", wrap_lines=True)


def _say_how_it_ended(arguments: list[str]) -> None:
    """What went wrong with the latest attempt at exactly this, if something did."""
    attempts = (job for job in jobs.jobs() if job.arguments == tuple(arguments))
    latest = next(attempts, None)
    if latest and latest.state in ("failed", "lost"):
        notices.error(latest.error)
    elif latest and latest.state == "cancelled":
        notices.note("Stopped. Run goes on from where it was.")
