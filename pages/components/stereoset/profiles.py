"""Profiles instead of one number: sixteen gender stereotypes of GEST and EuroGEST, several models and languages."""

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.resources import remembered
from pages.components.shared.show_result import show_evidence, show_findings
from pairlens.evaluation.evaluate import data_name
from pairlens.evaluation.result import settle
from pairlens.evaluation.zero_shot import sample, usual_rule
from pairlens.places import bundled
from pairlens.policies import preset_for
from pairlens.reports.stereotype_profile import TASKS_OF_PROFILES, result
from pairlens.results.result import Result
from pairlens.scoring.recipe import recipe_of
from pairlens.tasks import TASKS

_PORTUGUESE = bundled("samples", "eurogest", "Portuguese.csv")
_OPENING = (
    ("english-small", "gest", sample(TASKS["gest"])),
    ("bilingual-masked", "gest", sample(TASKS["gest"])),
    ("bilingual-masked", "eurogest", _PORTUGUESE),
)
"""Models and samples whose scores ship."""
_MOST = 6


def show_profiles() -> None:
    """Runs of both tasks on one axis: those that were chosen, at first those of bundled models."""
    notices.write(
        "GEST asks in English whether a man or a woman said a sentence, EuroGEST compares the masculine and the "
        "feminine sentence in other languages. Run either under Benchmarks; its runs can then be chosen here.",
        "pl-quiet",
    )
    opening = _opening()
    runs = resources.store().runs()
    runs = runs[runs["task"].isin(TASKS_OF_PROFILES) & (runs["state"] == "done")].set_index("run_id")
    names = {str(run): f"{row['model']} · {row['title']} · {str(run)[-4:]}" for run, row in runs.iterrows()}
    chosen = st.multiselect(
        "Runs", list(names), default=[run for run in opening if run in names], format_func=names.__getitem__,
        max_selections=_MOST, key="profiles_of", persist_state="session",
    )  # fmt: skip
    if chosen:
        shown = _result(tuple(chosen))
        show_findings(shown)
        show_evidence(shown, key="tab_of_profiles")


def _opening() -> list[str]:
    """The runs of bundled models on our samples, of which nothing is left to score."""
    runs = []
    for name, task, data in _OPENING:
        recipe = recipe_of(name, policy=preset_for("pairlens", TASKS[task].sets))
        planned = resources.planned(TASKS[task], data, recipe, usual_rule(TASKS[task], recipe.kind))
        runs.append(settle(planned, resources.store(), data_name(data)))
    return [run for run in runs if run]


@remembered(most=8)
def _result(run_ids: tuple[str, ...]) -> Result:
    return result([resources.result(run_id) for run_id in run_ids], resources.store())
