"""Benchmarks: a published test set, one or several models, and how often each prefers what is right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.evaluate import data_name
from core.recipe import Recipe
from core.result import settle
from core.types import Task
from pages.components import notices, resources
from pages.components.asked import Asked
from pages.components.choose_dataset import choose_dataset
from pages.components.choose_models import choose_models, describe
from pages.components.choose_policy import choose_policy
from pages.components.choose_rule import choose_rule
from pages.components.choose_scorer import choose_scorers
from pages.components.choose_task import choose_task
from pages.components.frame import open_page
from pages.components.run_benchmark import run_benchmark
from pages.components.share import show_share
from pages.components.show_run import show_runs_in_full
from pages.components.show_runs import show_runs
from pages.components.watch_jobs import watch_jobs, watch_paradigms

POLICY_FIELDS = ("first_token", "pll", "sentence_value", "ties", "text")
# Compare has `model` and `as`; a link from here to there loses parameters that this page binds too.
MODEL, POLICY = "model_name", "preset"
LINK = ("task", MODEL, "scorer_causal", "scorer_masked", "scorer_seq2seq", POLICY, "but", "data", "path")


def choose_recipes(task: Task) -> tuple[list[Recipe], str]:
    """The setup bar: models, scorers, rule, policy, share. Recipes and rule; no recipe if no model can be used.

    A changed policy keeps its preset's name, as on the command line: both then speak of the same run.
    """
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models(MODEL)
        scorers = choose_scorers(models)
        rule = choose_rule(task)
        policy = choose_policy(POLICY, fields=POLICY_FIELDS, sets=task.sets)
        st.space("stretch")
        show_share((*LINK, f"rule_{task.name}"))
    for model in models:
        notices.write("$name: $about", "pl-quiet", name=model.name, about=describe(model))
    policy = policy.but(name=policy.name.partition(",")[0])
    return [Recipe(model, scorers[model.kind], policy) for model in models], rule


def show_asked(task: Task, rule: str, data: Path, recipes: Sequence[Recipe]) -> None:
    """The answers of the models whose texts have all been scored; for the others, what a run would take."""
    store = resources.store()
    asked = []
    for recipe in recipes:
        with notices.in_words():
            asked.append(Asked(resources.planned(task.name, data, recipe, rule), data))
    settled = [settle(one.planned, store, data_name(data)) for one in asked]
    missing = [one for one, run_id in zip(asked, settled, strict=True) if run_id is None]
    if missing:
        watch_paradigms(missing, store)
        run_benchmark(missing, store)
    if answered := {run_id: one for one, run_id in zip(asked, settled, strict=True) if run_id}:
        show_runs_in_full([resources.result(run_id) for run_id in answered], answered)


def show_opened(run_ids: Sequence[str]) -> None:
    """Runs that were opened by their ids."""
    results = [resources.result(run_id) for run_id in run_ids]
    notices.write("$title", "pl-quiet", title=" · ".join(dict.fromkeys(one.manifest["title"] for one in results)))
    show_runs_in_full(results, {})


open_page("Benchmarks", "How often does the model prefer the right sentence of a published test set?")
if opened := st.query_params.get_all("run"):
    if st.button("Set up another run", icon=":material/arrow_back:"):
        st.query_params.clear()
        st.rerun()
    with notices.in_words():
        show_opened(opened)
else:
    task = choose_task()
    recipes, rule = choose_recipes(task)
    data = choose_dataset(task)
    watch_jobs("zero-shot")
    if recipes and data:
        with notices.in_words():
            show_asked(task, rule, data, recipes)
    show_runs(resources.store(), task.name)
