"""The tab Inside over many items: a table of beginnings as a stored run, and its mean map."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from core.runs import command
from core.runs.zero_shot import sample
from core.scoring.recipe import Recipe
from core.studies.inside import runs
from core.studies.inside.table import read
from core.tasks import TASKS
from pages.components.shared import notices, resources
from pages.components.shared.datasets import choose_dataset
from pages.components.shared.jobs import RunRequest, answered, watch_jobs
from pages.components.shared.show_mean_map import show_mean_map

_TASK = TASKS["inside"]
_SAMPLES = {
    "Agreement": ("en", "attraction.tsv"),
    "Negative polarity": ("en", "polarity.tsv"),
    "French participle": ("fr", "participle.tsv"),
}
"""Language and file."""
_EXPECTED = (
    "A table with first, second, form_first and form_second; an experiment of two levels, an agreement set or "
    "minimal pairs, of which the second beginnings are proposed"
)


@dataclass(frozen=True)
class _MapRequest(RunRequest):
    """The mean map of one model."""

    component: str = "residual"

    def arguments(self, grid: command.Grid | None = None, *, both: bool = False) -> list[str]:  # noqa: ARG002
        return command.inside(self.data.resolve(), self.planned.recipe, self.component)


def show_many_inside(recipe: Recipe, component: str) -> None:
    """Which items, a run of them, and the map of what was stored; `recipe` is the one that is compared with."""
    language = str(recipe.model.card.get("language", ""))
    ordered = sorted(_SAMPLES.items(), key=lambda one: one[1][0] not in language.split())
    data = choose_dataset(_TASK, "inside", {name: sample(_TASK) / file for name, (_, file) in ordered}, _EXPECTED)
    watch_jobs("inside")
    if data is None:
        return
    whole = "sum" if recipe.policy.word_value == "sum" else "bow_eos"
    counted = replace(recipe, policy=recipe.policy.but(word_value=whole, punctuation="separate"))
    asked = _asked(data, counted, component, resources.states(data))
    if asked.left_out:
        n_items, reason = notices.counted(len(asked.left_out), "item"), next(iter(asked.left_out.values()))
        notices.note(f"Left out: {n_items} ({reason}).")
    for run_id in answered([_MapRequest(asked.planned, data, component)], resources.store()):
        show_mean_map(run_id)


@st.cache_resource(max_entries=6, show_spinner="Reading …", hash_funcs=resources.BY_IDENTITY)
def _asked(data: Path, recipe: Recipe, component: str, states: tuple[object, ...]) -> runs.MapRequest:  # noqa: ARG001
    return runs.ask(read(data, str(recipe.model.card.get("language", ""))), recipe, component)
