"""Scores for an experiment: few sentences are scored while one waits, many in a job of their own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.runs import command
from core.runs.estimate import duration_in_words, estimate
from core.scoring.recipe import Recipe
from core.settings import settings
from core.store import jobs
from pages.components.minimal_pairs import resources as kept
from pages.components.shared import notices, resources
from pages.components.shared.experiment import Experiment
from pages.components.shared.jobs import show_command, watch_jobs


def score_sentences(experiment: Experiment, recipes: Sequence[Recipe]) -> list[Recipe]:
    """The recipes under which every sentence that can be scored is; for the others, what that would take."""
    ready, waiting = [], []
    for recipe in recipes:
        with notices.explained_errors():
            missing = kept.unscored(experiment, recipe)
            if missing > settings().interactive_texts and not _is_settled(experiment, recipe, missing):
                waiting.append((recipe, missing))
                continue
            if missing:
                kept.score(experiment, recipe)
            ready.append(recipe)
    if waiting:
        watch_jobs("minimal-pair")
        _offer(experiment, waiting)
    return ready


def _is_settled(experiment: Experiment, recipe: Recipe, missing: int) -> bool:
    """Whether a job has scored all but these, which it found that it cannot score: they are told apart in no time."""
    job = jobs.latest(_arguments(experiment, recipe))
    return job is not None and job.state == "done" and len((job.result or {}).get("refused", ())) >= missing


def _offer(experiment: Experiment, waiting: Sequence[tuple[Recipe, int]]) -> None:
    """How long it will take, how the latest attempt ended, and the button that starts the jobs."""
    asked = [(recipe, missing, _arguments(experiment, recipe)) for recipe, missing in waiting]
    idle = [one for one in asked if not (job := jobs.latest(one[2])) or job.ended]
    for _, _, arguments in idle:
        if (job := jobs.latest(arguments)) and job.state in ("failed", "lost"):
            notices.error(job.error)
    if not idle:
        return
    seconds = sum(estimate(missing, recipe, resources.store()).seconds for recipe, missing, _ in idle)
    notices.write(
        "<strong>$n</strong> to be scored, about $time here. Analysing them in other ways later needs no scoring.",
        n=notices.counted(max(missing for _, missing, _ in idle), "sentence"), time=duration_in_words(seconds),
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Run", type="primary", icon=":material/play_arrow:"):
            for recipe, _, arguments in idle:
                jobs.start(arguments, f"{experiment.source.name} · {recipe.model.name}")
            st.rerun()
        show_command(arguments for _, _, arguments in idle)


def _arguments(experiment: Experiment, recipe: Recipe) -> list[str]:
    """The command line that scores an experiment."""
    return command.minimal_pair(*kept.file_of(experiment), recipe)
