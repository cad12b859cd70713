"""Work that takes long: what it will take, the button that starts it as a job, how far it is, a way to stop it."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.components.shared import notices
from pages.components.shared.door import BEGIN
from pairlens.evaluation import command
from pairlens.evaluation.command import line
from pairlens.evaluation.estimate import duration_in_words, estimate
from pairlens.evaluation.evaluate import data_name
from pairlens.evaluation.requests import Plan
from pairlens.evaluation.result import settle, short_names, so_far
from pairlens.messages import Message
from pairlens.settings import settings
from pairlens.sharing import is_shared, without_places
from pairlens.store import Store, jobs, visitors

TEXTS = Message("texts")
_AT_ONCE = 600.0
"""Seconds of work that begin without Run; what takes longer waits for it."""
_SECONDS, _SO_FAR_SECONDS = 0.7, 8.0


@dataclass(frozen=True)
class RunRequest:
    """One model's part of what was asked; runs that are opened by their id have none."""

    planned: Plan
    data: Path

    @property
    def plans(self) -> Sequence[Plan]:
        """All that is to be scored."""
        return [self.planned]

    def missing(self, store: Store) -> int:
        return self.planned.missing(store)

    def arguments(self, grid: command.Grid | None = None, *, both: bool = False) -> list[str]:
        """The command line that answers it; `grid` with several temperatures, `both` by the published rules too."""
        planned = self.planned
        rule = "" if planned.rule == planned.task.rules[0] else planned.rule
        output = settings().home.resolve() / "reports"
        return command.zero_shot(
            planned.task.name, self.data.resolve(), planned.recipe, output, rule=rule, grid=grid, both=both,
            options=command.options_of(planned.task),
        )  # fmt: skip

    def start(self, arguments: list[str]) -> None:
        planned = self.planned
        jobs.start(arguments, f"{planned.task.title} · {data_name(self.data)} · {planned.recipe.model.name}")


def answered(requests: Sequence[RunRequest], store: Store) -> dict[str, RunRequest]:
    """By run id, what has all been scored; for the rest, what a run of it will take, and a button that starts it."""
    runs = [settle(request.planned, store, data_name(request.data)) for request in requests]
    offer_to_run([request for request, run_id in zip(requests, runs, strict=True) if run_id is None], store)
    return {run_id: request for request, run_id in zip(requests, runs, strict=True) if run_id}


def offer_to_run(requests: Sequence[RunRequest], store: Store) -> None:
    """A button that runs those not under way, how long that takes, and how their latest jobs ended.

    Of files that were just opened, short runs of which there is no job yet begin at once, where nobody has to wait
    for them.
    """
    opened = st.session_state.pop(BEGIN, False)
    latest = [(request, jobs.latest(request.arguments())) for request in requests]
    idle = [(request, job) for request, job in latest if job is None or job.ended]
    if not idle:
        return
    missing = [request.missing(store) for request, _ in idle]
    recipes = [request.planned.recipe for request, _ in idle]
    expected = [estimate(n, recipe, store) for recipe, n in zip(recipes, missing, strict=True)]
    for (request, job), n in zip(idle, missing, strict=True):
        if job and job.state in ("failed", "lost"):
            notices.error(job.error)
        texts = sum(len(planned.requests) for planned in request.plans)
        stopped = "Stopped. " if job and job.state == "cancelled" else ""
        if stopped or n < texts:
            notices.note(f"{stopped}{texts - n:,} of {texts:,} texts are already scored: Run goes on from there.")
    names = short_names([recipe.model.name for recipe in recipes]).values()
    each = [f"{name} {duration_in_words(guess.seconds)}" for name, guess in zip(names, expected, strict=True)]
    measured = all(guess.measured for guess in expected)
    commands = [request.arguments() for request, _ in idle]
    seconds = sum(guess.seconds for guess in expected)
    at_once = opened and seconds < _AT_ONCE and not is_shared() and not any(job for _, job in latest)
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.write(
            "<strong>$items</strong>, about $time here ($source)$each.",
            items=notices.counted(sum(planned.n_items for planned in idle[0][0].plans), idle[0][0].planned.task.noun),
            time=duration_in_words(seconds),
            source="measured on this machine" if measured else "a first guess for this machine",
            each=f": {', '.join(each)}" if len(idle) > 1 else "",
        )
        if st.button("Run", type="primary", icon=":material/play_arrow:") or at_once:
            for (request, _), arguments in zip(idle, commands, strict=True):
                request.start(arguments)
            st.rerun()
        show_command(commands)


def watch_jobs(verb: str, counted: str = TEXTS, translate: Callable[[str], str] = str) -> None:
    """Draw the jobs of a command that run or wait, while there are any; `counted` is what their steps are."""
    active = [job.id for job in jobs.jobs() if not job.ended and job.arguments[0] == verb]
    if active:
        st.fragment(_draw, run_every=_SECONDS)(active, counted, translate)


def show_so_far(requests: Sequence[RunRequest], store: Store) -> None:
    """What the runs under way have answered by now."""
    latest = [(request, jobs.latest(request.arguments())) for request in requests]
    under_way = [request for request, job in latest if job and not job.ended]
    if under_way:
        st.fragment(_draw_so_far, run_every=_SO_FAR_SECONDS)(under_way, store)


def _draw_so_far(requests: Sequence[RunRequest], store: Store) -> None:
    for request in requests:
        if text := so_far(request.planned, store):
            notices.text(f"{request.planned.recipe.model.name} · {text}")


def cancel(identifier: str) -> None:
    jobs.cancel(identifier)


def _draw(identifiers: list[str], counted: str, translate: Callable[[str], str]) -> None:
    listed = jobs.jobs()
    watched = [job for job in listed if job.id in identifiers and not job.ended]
    if len(watched) < len(identifiers):
        st.rerun()
    for job in watched:
        with st.container(horizontal=True, vertical_alignment="center", key=f"job_{job.id}"):
            with st.container(gap=None):
                notices.text(job.title)
                st.progress(job.done / job.total if job.total else 0.0)
                operator = visitors.current() == visitors.EVERYTHING
                whose = visitors.short([job.visitor]) if operator else ""
                visitor = f" · visitor {whose}" if whose else ""
                before = next(
                    (one for one in listed if one.state == "running" and one.is_training == job.is_training), None
                )
                notices.write(
                    "$state$whose", "pl-quiet", state=_state(job, before, counted, translate), whose=visitor
                )
            st.button(
                translate("Cancel"), key=f"cancel_{job.id}", icon=":material/stop:", on_click=cancel, args=(job.id,)
            )


def _state(job: jobs.Job, before: jobs.Job | None, counted: str, translate: Callable[[str], str]) -> str:
    """What it is doing, or what runs `before` it, as far as the visitor may know."""
    if job.state == "queued" and before:
        left = (Message("about {time} left", time=duration_in_words(before.seconds_left)) if before.seconds_left
                else Message("begun {time} ago", time=duration_in_words(time.time() - before.started)))  # fmt: skip
        waiting = Message("Waits for {title} ({left}): place {place} in the queue.", title=before.title, left=left,
                          place=job.place)  # fmt: skip
        return translate(waiting)
    if job.state == "queued":
        return translate(Message("Waits for its turn: place {place} in the queue.", place=job.place))
    since = duration_in_words(time.time() - job.started)
    if not job.total:
        return translate(Message("Reading what is to be scored: {time} so far.", time=since))
    parts = [Message("{done:,} of {total:,} {counted}", done=job.done, total=job.total, counted=counted)]
    if not job.done:
        parts.append(Message("loading the model and scoring the first ones: {time} so far", time=since))
    if job.seconds_left:
        rate = (job.total - job.done) / job.seconds_left
        parts.append(Message("{rate:,.0f} per second", rate=rate))
        parts.append(Message("about {time} left", time=duration_in_words(job.seconds_left)))
    return " · ".join(map(translate, parts))


def show_command(
    commands: Iterable[Sequence[str]], label: str = "The same from the command line", key: str | None = None
) -> None:
    """A popover with commands to copy, one per line, each given by its arguments."""
    with st.popover(label, icon=":material/terminal:", key=key):
        st.code(
            without_places("\n".join(line(arguments) for arguments in commands)), language="bash", wrap_lines=True
        )
