"""Benchmarks: a published test set or a suite of them, some models, and how often each prefers what is right."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from pages.components.shared import notices, resources
from pages.components.shared.choose_task import choose_task
from pages.components.shared.datasets import FILE, choose_dataset
from pages.components.shared.frame import open_page
from pages.components.shared.jobs import RunRequest, answered, show_so_far, watch_jobs
from pages.components.shared.link import opened_runs
from pages.components.shared.models import choose_recipes
from pages.components.shared.runs import show_runs
from pages.components.shared.sentences import choose_pair_columns
from pages.components.shared.tables import show_tabs
from pages.components.zero_shot.show_checkpoints import MODEL, Asked, find_checkpoints, show_checkpoints
from pages.components.zero_shot.show_languages import in_languages, show_languages
from pages.components.zero_shot.show_run import show_last, show_runs_in_full
from pages.components.zero_shot.show_suite import show_suite
from pairlens.errors import InputError
from pairlens.evaluation.run_list import title_of
from pairlens.evaluation.zero_shot import meaningless, sample, usual_rule
from pairlens.files.suites import Suite
from pairlens.rules import RULES
from pairlens.scoring.recipe import Recipe
from pairlens.tasks.pairs import Pairs
from pairlens.types import Task

POLICY_FIELDS = ("first_token", "pll", "words_by", "sentence_value", "ties", "text")
VIEW = "benchmark_view"
LINK = ("task", "data", "path", FILE, VIEW, MODEL)


def rule_for(task: Task, recipe: Recipe, rule: str) -> str:
    """The chosen rule; for a model to which the task's usual one means nothing another one, with a note."""
    if rule != task.rules[0] or not meaningless(task, rule, recipe.kind):
        return rule
    if other := usual_rule(task, recipe.kind):
        notices.note(f"For {recipe.model.name} this is compared: {RULES[other].about}.")
    return other or rule


def show_scores(requests: Sequence[RunRequest], task: Task) -> None:
    """The answers of the models whose texts have all been scored; for the others, what a run would take."""
    runs = answered(requests, resources.store())
    if runs:
        show_runs_in_full([resources.result(run_id) for run_id in runs], runs)
    else:
        show_so_far(requests, resources.store())
        show_last(task)


def show_asked(task: Task, rule: str, data: Path, recipes: Sequence[Recipe]) -> None:
    requests = []
    for recipe in recipes:
        with notices.explained_errors():
            requests.append(RunRequest(resources.planned(task, data, recipe, rule_for(task, recipe, rule)), data))
    of_training = Asked(task, rule, data, policy, requests[0].planned.data if requests else "")
    tabs = {"Scores": partial(show_scores, requests, task), "Checkpoints": partial(show_checkpoints, of_training)}
    if in_languages(task):
        tabs["Languages"] = partial(show_languages, task)
    show_tabs(tabs, VIEW)


def show_opened(run_ids: Sequence[str]) -> None:
    """Runs that were opened by their ids; InputError for one of another task."""
    results = [resources.result(run_id) for run_id in run_ids]
    for one in results:
        if one.task.name != results[0].task.name:
            raise InputError("a run of another task: open it on its own", one.manifest["run_id"])
    notices.text(" · ".join(dict.fromkeys(title_of(result.manifest) for result in results)), "pl-quiet")
    show_runs_in_full(results, {})


open_page("Benchmarks", "How often does the model prefer the right sentence of a published test set?")
if opened := opened_runs():
    with notices.explained_errors():
        show_opened(opened)
elif isinstance(task := choose_task(), Suite):
    show_suite(task)
else:
    find_checkpoints(VIEW)
    recipes, rule, policy = choose_recipes(task, POLICY_FIELDS, LINK)
    data = choose_dataset(task)
    watch_jobs("zero-shot")
    if data:
        with notices.explained_errors():
            read = choose_pair_columns(task, data) if isinstance(task, Pairs) and data != sample(task) else task
            if read:
                show_asked(read, rule, data, recipes)
    else:
        show_last(task)
    show_runs(resources.store(), task.name)
