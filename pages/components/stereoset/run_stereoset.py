"""Before StereoSet is run: what it will take, what is already there, and the button that starts it as a job."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.runs.estimate import duration_in_words
from pages.components.shared import notices, resources
from pages.components.shared.jobs import show_command
from pages.components.stereoset.stereoset_request import StereoSetRequest


def run_stereoset(waiting: Sequence[StereoSetRequest]) -> None:
    """Say how long scoring what is missing will take, and offer to start it; nothing while all is under way."""
    idle = [one for one in waiting if not (job := one.latest()) or job.ended]
    if not idle:
        return
    store = resources.store()
    notices.write(
        "<strong>$n</strong>, about $time here. Every case and every average then comes from the same scores.",
        n=notices.counted(sum(len(part.examples) for part in idle[0].parts), "example"),
        time=duration_in_words(sum(one.seconds(store) for one in idle)),
    )  # fmt: skip
    for one in idle:
        _say_how_it_ended(one, one.texts - one.missing(store))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Run", type="primary", icon=":material/play_arrow:"):
            for one in idle:
                one.start()
            st.rerun()
        show_command(one.arguments() for one in idle)


def _say_how_it_ended(one: StereoSetRequest, scored: int) -> None:
    """What became of the latest attempt at exactly this, and what is already there."""
    job = one.latest()
    if job and job.state in ("failed", "lost"):
        notices.error(job.error)
    stopped = "stopped; " if job and job.state == "cancelled" else ""
    if stopped or scored:
        done = f"{scored:,} of {one.texts:,} texts"
        notices.note(f"{one.model.name}: {stopped}{done} are already scored. Run goes on from there.")
