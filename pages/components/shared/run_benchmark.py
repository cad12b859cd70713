"""Before a run: what it will take, what is already there, and the button that starts it as a job."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.runs.estimate import Estimate, duration_in_words, estimate
from core.runs.evaluate import data_name
from core.runs.result import settle, short_names
from core.store import Store, jobs
from pages.components.shared import notices
from pages.components.shared.run_request import RunRequest
from pages.components.shared.show_command import show_command
from pages.components.shared.watch_jobs import watch_paradigms


def answered(asked: Sequence[RunRequest], store: Store) -> dict[str, RunRequest]:
    """By run id, what has all been scored; for the rest, how far it is and what a run of it will take."""
    settled = [settle(one.planned, store, data_name(one.data)) for one in asked]
    if missing := [one for one, run_id in zip(asked, settled, strict=True) if run_id is None]:
        answers = len(missing) < len(asked)
        with st.expander("How far each paradigm is") if answers and any(map(_active, missing)) else st.container():
            watch_paradigms(missing, store)
        run_benchmark(missing, store)
    return {run_id: one for one, run_id in zip(asked, settled, strict=True) if run_id}


def run_benchmark(asked: Sequence[RunRequest], store: Store) -> None:
    """Say how long scoring what is missing will take, and offer to start it; nothing while all of it is under way."""
    idle = [one for one in asked if not _active(one)]
    if not idle:
        return
    missing = [one.planned.missing(store) for one in idle]
    expected = [estimate(n, one.planned.recipe, store) for one, n in zip(idle, missing, strict=True)]
    for one, n in zip(idle, missing, strict=True):
        _say_how_it_ended(one, n)
    commands = [one.arguments() for one in idle]
    with st.container(horizontal=True, vertical_alignment="center"):
        _say_how_long(idle, expected)
        if st.button("Run", type="primary", icon=":material/play_arrow:"):
            for one, arguments in zip(idle, commands, strict=True):
                one.start(arguments)
            st.rerun()
        show_command(commands)


def _active(one: RunRequest) -> bool:
    latest = jobs.latest(one.arguments())
    return latest is not None and not latest.ended


def _say_how_long(idle: Sequence[RunRequest], expected: Sequence[Estimate]) -> None:
    planned = idle[0].planned
    measured = all(one.measured for one in expected)
    names = short_names([one.planned.recipe.model.name for one in idle]).values()
    each = [f"{name} {duration_in_words(one.seconds)}" for name, one in zip(names, expected, strict=True)]
    notices.write(
        "<strong>$items</strong>, about $time here ($source)$each.",
        items=notices.counted(planned.n_items, planned.task.noun),
        time=duration_in_words(sum(one.seconds for one in expected)),
        source="measured on this machine" if measured else "a first guess for this machine",
        each=f": {', '.join(each)}" if len(idle) > 1 else "",
    )


def _say_how_it_ended(one: RunRequest, missing: int) -> None:
    """What became of the latest attempt at exactly this, and what is already there."""
    latest: jobs.Job | None = jobs.latest(one.arguments())
    if latest and latest.state in ("failed", "lost"):
        notices.error(latest.error)
    texts = len(one.planned.requests)
    stopped = "Stopped. " if latest and latest.state == "cancelled" else ""
    if stopped or missing < texts:
        notices.note(f"{stopped}{texts - missing:,} of {texts:,} texts are already scored: Run goes on from there.")
