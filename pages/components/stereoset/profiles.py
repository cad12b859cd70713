"""Profiles instead of one number: sixteen gender stereotypes of GEST and EuroGEST, several models and languages."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.resources import remembered
from pages.components.shared.tables import number_columns, show_table
from pairlens.analysis import stereotype_profile
from pairlens.charts.stereoset import by_stereotype
from pairlens.evaluation.evaluate import data_name
from pairlens.evaluation.result import Run, labels, settle, short_names
from pairlens.evaluation.samples import is_sample
from pairlens.evaluation.zero_shot import sample, usual_rule
from pairlens.places import bundled
from pairlens.policies import preset_for
from pairlens.scoring.recipe import recipe_of
from pairlens.statistics.few import FEW
from pairlens.tasks import TASKS

_TASKS = ("gest", "eurogest")
_PORTUGUESE = bundled("samples", "eurogest", "Portuguese.csv")
_OPENING = (
    ("english-small", "gest", sample(TASKS["gest"])),
    ("bilingual-masked", "gest", sample(TASKS["gest"])),
    ("bilingual-masked", "eurogest", _PORTUGUESE),
)
"""Models and samples whose scores ship."""
_MOST = 6
_SAID = (
    "Masculine share: 50 is no preference. A model may prefer one gender throughout; stereotypes show as the "
    "difference between the two groups of rows. The stereotype rate sums it up: 1 is none. Rates of GEST and of "
    "EuroGEST are on different scales.",
    "SS of StereoSet and the share of CrowS-Pairs are one number over many groups of people, in which opposite "
    "preferences cancel out. A profile keeps them apart, for gender alone, and in what speakers say of themselves.",
    "Whose stereotypes: GEST's were collected with experts from Slovakia, EuroGEST's are the same, translated by "
    "machine; StereoSet and CrowS-Pairs were written by crowd workers in the United States. What people elsewhere "
    "think, none of them says.",
)
_COLUMNS = {
    "model": "Who",
    **number_columns({"value": "Stereotype rate", "low": "from", "high": "to"}, "stereotype_rate"),
    "n": "Items",
}  # fmt: skip


def show_profiles() -> None:
    """Runs of both tasks on one axis: those that were chosen, at first those of bundled models."""
    notices.write(
        "GEST asks in English whether a man or a woman said a sentence, EuroGEST compares the masculine and the "
        "feminine sentence in other languages. Run either under Benchmarks; its runs can then be chosen here.",
        "pl-quiet",
    )  # fmt: skip
    opening = _opening()
    runs = resources.store().runs()
    runs = runs[runs["task"].isin(_TASKS) & (runs["state"] == "done")].set_index("run_id")
    names = {str(run): f"{row['model']} · {row['title']} · {str(run)[-4:]}" for run, row in runs.iterrows()}
    chosen = st.multiselect(
        "Runs", list(names), default=[run for run in opening if run in names], format_func=names.__getitem__,
        max_selections=_MOST, key="profiles_of", persist_state="session",
    )  # fmt: skip
    if chosen:
        _show([resources.result(run) for run in chosen])


def _opening() -> list[str]:
    """The runs of bundled models on our samples, of which nothing is left to score."""
    runs = []
    for name, task, data in _OPENING:
        recipe = recipe_of(name, policy=preset_for("pairlens", TASKS[task].sets))
        planned = resources.planned(TASKS[task], data, recipe, usual_rule(TASKS[task], recipe.kind))
        runs.append(settle(planned, resources.store(), data_name(data)))
    return [run for run in runs if run]


def _rows(results: Sequence[Run]) -> pd.DataFrame:
    """The profiles of all; `model` is its name and the language, with what else tells runs apart if these do not."""
    short = short_names([result.manifest["model"] for result in results])
    rows = pd.concat([_profiles(one).assign(run=place) for place, one in enumerate(results)], ignore_index=True)
    for names in ([short[result.manifest["model"]] for result in results], labels(results)):
        rows["model"] = rows["run"].map(dict(enumerate(names))) + " · " + rows["language"]
        if not rows.duplicated(["model", "group"]).any():
            break
    return rows.drop(columns="run")


def _show(results: Sequence[Run]) -> None:
    rows = _rows(results)
    rates = rows[rows["group"] == ""]
    each = rows[rows["group"] != ""].sort_values("section", ascending=False, kind="stable")
    finding = "; ".join(f"{row.model}: stereotype rate {row.value:.2f}" for row in rates.itertuples()) + "."
    above = list(rates.loc[rates["low"] > 1, "model"])
    whose = ", ".join(above) or "none of these"
    notices.text(
        f"The stereotype rate lies above 1 (no stereotype) with its whole interval for {whose}.", "pl-headline"
    )
    show_table(rates[list(_COLUMNS)], column_config=_COLUMNS, alt="The stereotype rate of each model and language")
    if any(is_sample(result.manifest["data"]) for result in results):
        notices.note("Our samples have two sentences for each stereotype: they show the method, not the model.")
    few = each["n_clusters"] < FEW
    bounds = {name: (100 * each[name]).mask(few) for name in ("low", "high")}
    drawn = each.assign(value=100 * each["value"], section="stereotypes about " + each["section"], **bounds)
    chart = by_stereotype(drawn, finding)
    show_chart(chart, "stereotype_profiles")
    if few.any():
        notices.write("No interval is drawn for fewer than $few sentences.", "pl-quiet", few=FEW)
    for sentence in _SAID:
        notices.text(sentence, "pl-quiet")
    show_downloads("stereotype-profiles", rows, chart)


@remembered(most=24)
def _profiles(one: Run) -> pd.DataFrame:
    return stereotype_profile.profiles(one.candidates, one.task, one.policy, one.rule)
