"""A training under way: how far, how fast, what the model gets right so far, what it writes; and ways to end it."""

from __future__ import annotations

import streamlit as st

from core.runs.estimate import duration_in_words
from core.settings import settings
from core.store import jobs
from core.training.checkpoint import ask_to_stop
from core.training.history import History
from core.training.own_models import history_folder
from pages.components.shared import notices
from pages.components.shared.resources import look_for_models
from pages.components.shared.rights import rights
from pages.components.shared.watch_jobs import cancel
from pages.components.train import resources
from pages.components.train.run_training import name_of
from pages.components.train.show_curves import show_losses, show_right, show_samples

SHOWN = "shown"
"""Key of what the page shows while nothing is trained; what has just been trained comes first."""
_SECONDS = 1.5
_STOPPING = "Stopping: saving the best state so far as a model …"


def show_training(job: jobs.Job) -> None:
    """Draw it, and keep drawing until it has ended."""
    st.fragment(_draw, run_every=_SECONDS)(job.id)


def _draw(identifier: str) -> None:
    job = jobs.job(identifier)
    if job.ended:
        look_for_models()
        st.session_state.pop(SHOWN, None)
        st.rerun()
    name = name_of(job)
    moments = History(history_folder(name)).moments()
    notices.write("$title", "pl-second", title=f"{name} is learning")
    st.progress(job.done / job.total if job.total else 0.0)
    notices.write("$state", "pl-quiet", state=_state(job, moments[-1].tokens_per_second if moments else 0.0))
    if rights().may("train"):
        _offer_to_end(job, name)
    if not moments:
        return
    curves = resources.curves(name)
    most = int(moments[-1].tokens / max(moments[-1].fraction, 1e-3))
    show_right(curves, name, most, "right_now")
    show_losses(moments, "losses_now")
    show_samples(moments)


def _state(job: jobs.Job, speed: float) -> str:
    if job.state == "queued":
        return f"Waiting: place {job.place} in the queue."
    if not job.done:
        return "Reading the text and building a vocabulary …"
    left = f"about {duration_in_words(job.seconds_left)} left" if job.seconds_left else ""
    rate = f"{speed:,.0f} tokens per second" if speed else ""
    return " · ".join(filter(None, [f"{job.done / job.total:.0%}", rate, left]))


def _offer_to_end(job: jobs.Job, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Stop and save", icon=":material/stop:", help="The best state so far is saved as the model."):
            ask_to_stop(settings().models / name)
            st.session_state["stopping"] = job.id
        st.button(
            "Pause", icon=":material/pause:", on_click=cancel, args=(job.id,),
            help="Nothing is saved as a model yet; you can resume later from the last checkpoint.",
        )  # fmt: skip
        if st.session_state.get("stopping") == job.id:
            notices.write("$text", "pl-quiet", text=_STOPPING)
