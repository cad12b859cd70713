"""The button that starts a training as a job; how far one under way is, what it gets right, and ways to end it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import InputError
from core.runs.estimate import duration_in_words
from core.settings import settings
from core.store import jobs
from core.training.checkpoint import ask_to_stop, has_checkpoint, work_folder
from core.training.own_models import History, history_folder, place_of
from core.training.specification import Choice
from pages.components.shared import notices
from pages.components.shared.jobs import cancel, show_command
from pages.components.shared.resources import look_for_models
from pages.components.shared.rights import rights
from pages.components.train.curves import curves_of_model, show_losses, show_right, show_samples

_VERB, _NAME = "train", "--name"
SHOWN = "shown"
"""Key of what the page shows while nothing is trained; what has just been trained comes first."""
_SECONDS = 1.5
_STOPPING = "Stopping: saving the best state so far as a model …"


def active_training() -> jobs.Job | None:
    """The training that runs or waits."""
    return next((job for job in jobs.jobs() if not job.ended and job.arguments[0] == _VERB), None)


def latest_training() -> jobs.Job | None:
    """The newest training, however it ended."""
    return next((job for job in jobs.jobs() if job.arguments[0] == _VERB), None)


def name_of(job: jobs.Job) -> str:
    """The name of the model that a job trains; empty for one that was started in another way."""
    given = dict(zip(job.arguments, job.arguments[1:], strict=False))
    return given.get(_NAME, "")


def run_training(choice: Choice) -> None:
    """Offer to start it; one training at a time."""
    running = active_training()
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            "Start training", type="primary", icon=":material/play_arrow:", disabled=running is not None
        )
        show_command([choice.arguments()])
    if running:
        notices.note("One model is trained at a time: wait until this one has finished, or stop it.")
    if pressed:
        with notices.explained_errors():
            place_of(choice.name)
            refuse_others(choice)
            start(choice.arguments(), choice.name)


def refuse_others(choice: Choice) -> None:
    """InputError if an interrupted training of that name is another one: its checkpoint would be in the way."""
    if not has_checkpoint(work_folder(settings().models / choice.name)):
        return
    before = next((job for job in jobs.jobs() if name_of(job) == choice.name), None)
    if before is None or before.arguments != tuple(choice.arguments()):
        raise InputError(f"A training of {choice.name} is paused: resume it, or choose another name.")


def start(arguments: Sequence[str], name: str) -> None:
    """Start it, or go on with one that has not come to its end."""
    jobs.start(arguments, f"Training {name}")
    st.rerun()


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
    notices.text(f"{name} is learning", "pl-second")
    st.progress(job.done / job.total if job.total else 0.0)
    notices.text(_state(job, moments[-1].tokens_per_second if moments else 0.0), "pl-quiet")
    if rights().may("train"):
        _offer_to_end(job, name)
    if not moments:
        return
    curves = curves_of_model(name)
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
            notices.text(_STOPPING, "pl-quiet")
