"""The button that starts a training as a job, and what is said about one that is under way or has ended."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import InputError
from core.settings import settings
from core.store import jobs
from core.training.checkpoint import has_checkpoint, work_folder
from core.training.own_models import place_of
from core.training.specification import Choice
from pages.components.shared import notices
from pages.components.shared.show_command import show_command

_VERB, _NAME = "train", "--name"


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
