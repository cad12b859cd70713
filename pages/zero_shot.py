"""Benchmarks: a published test set, a model, and how often the model prefers the right sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from core.errors import PairlensError
from core.evaluate import data_name
from core.recipe import Recipe
from core.result import settle
from core.types import Task
from pages.components import notices, resources
from pages.components.choose_dataset import choose_dataset
from pages.components.choose_models import choose_model, describe
from pages.components.choose_policy import choose_policy
from pages.components.choose_scorer import choose_scorer
from pages.components.choose_task import choose_task
from pages.components.frame import open_page
from pages.components.run_benchmark import run_benchmark
from pages.components.share import show_share
from pages.components.show_run import show_run
from pages.components.show_runs import show_runs
from pages.components.watch_jobs import watch_jobs

POLICY_FIELDS = ("first_token", "pll", "sentence_value", "ties", "text")
# Compare has `model` and `as`; a link from here to there loses parameters that this page binds too.
MODEL, POLICY = "model_name", "preset"
LINK = ("task", MODEL, "scorer_causal", "scorer_masked", POLICY, "but", "data", "path")


def choose_recipe() -> Recipe | None:
    """The setup bar: model, scorer, policy, share; None if the model cannot be used.

    A changed policy keeps its preset's name, as on the command line: both then speak of the same run.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = choose_model(MODEL)
        if model is None:
            return None
        scorer = choose_scorer(model)
        policy = choose_policy(POLICY, fields=POLICY_FIELDS)
        st.space("stretch")
        show_share(LINK)
    notices.write("$name: $about", "pl-quiet", name=model.name, about=describe(model))
    return Recipe(model, scorer, policy.but(name=policy.name.partition(",")[0]))


def show_chosen(task: Task, data: Path, recipe: Recipe) -> None:
    """The answer, if every text has been scored before; else what a run would take."""
    store = resources.store()
    planned = resources.planned(task.name, data, recipe)
    run_id = settle(planned, store, data_name(data))
    if run_id is None:
        run_benchmark(planned, data, store)
    else:
        show_run(resources.result(run_id))


def show_stored(run_id: str) -> None:
    """A run that was opened by its id."""
    result = resources.result(run_id)
    notices.write("$title", "pl-quiet", title=result.manifest["title"])
    show_run(result)


@contextmanager
def said_in_words() -> Iterator[None]:
    """What cannot be read, run or shown is said in one sentence."""
    try:
        yield
    except PairlensError as wrong:
        notices.error(wrong)


open_page("Benchmarks", "How often does the model prefer the right sentence of a published test set?")
if opened := st.query_params.get("run"):
    if st.button("Set up another run", icon=":material/arrow_back:"):
        st.query_params.clear()
        st.rerun()
    with said_in_words():
        show_stored(opened)
else:
    task = choose_task()
    recipe = choose_recipe()
    data = choose_dataset(task)
    watch_jobs("zero-shot")
    if recipe and data:
        with said_in_words():
            show_chosen(task, data, recipe)
    show_runs(resources.store(), task.name)
