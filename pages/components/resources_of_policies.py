"""What the view of all policies keeps between reruns: made again when a run is finished or deleted."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from core.experiment.policies import UnderAllChoices
from core.experiment.policies import under_all_choices as analysed
from core.multiverse import Layout, lay_out, wording
from core.multiverse.adding_up import Scores
from core.multiverse.items import Decisions, decisions
from core.multiverse.matching import printable as printable_numbers
from core.multiverse.numbers import numbers
from core.multiverse.scoring import seconds as seconds_of_missing
from core.recipe import Recipe
from pages.components import resources, resources_of_experiments
from pages.components.experiment import Question


@dataclass(frozen=True)
class UnderAllPolicies:
    """The numbers under each stored policy, why some have none, the decisions, and what SLOR and PMI are."""

    numbers: pd.DataFrame
    reasons: dict[str, str]
    decisions: Decisions | None
    corrections: str


def _identity(layout: Layout) -> tuple[object, ...]:
    return layout.run_id, layout.metric, repr(layout.policy), tuple(sorted(layout.runs.values()))


_BY_IDENTITY = {Layout: _identity}


def layout(run_id: str, metric: str) -> Layout:
    """The policies of a run's number, and which are stored; PairlensError in words."""
    runs = resources.store().runs()
    finished = runs[runs["state"] == "done"]
    return _layout(run_id, metric, tuple(zip(finished["run_id"], finished["finished"], strict=True)))


@st.cache_resource(max_entries=12, show_spinner="Looking for scores …")
def _layout(run_id: str, metric: str, finished: tuple[tuple[str, str], ...]) -> Layout:  # noqa: ARG001
    return lay_out(resources.store(), run_id, metric)


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_IDENTITY)
def under_all_policies(layout: Layout) -> UnderAllPolicies:
    """Everything that is a query on stored scores."""
    scores = Scores(layout, resources.store())
    table, reasons = numbers(layout, scores)
    return UnderAllPolicies(table, reasons, decisions(layout, scores), wording.corrections(layout, scores, reasons))


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_IDENTITY)
def printable(layout: Layout) -> pd.DataFrame:
    """Every number of the run that could have been printed (`core.multiverse.matching.printable`)."""
    return printable_numbers(layout, Scores(layout, resources.store()))


@st.cache_resource(max_entries=12, ttl=60, show_spinner="Counting texts …", hash_funcs=_BY_IDENTITY)
def seconds(layout: Layout) -> float:
    """How long scoring all that is missing will take, about; a pass that is stopped leaves less to do.

    ModelError in words if the run's model is not here any more.
    """
    return seconds_of_missing(layout, resources.store())


_OF_QUESTIONS = {Question: lambda asked: asked.identity, Recipe: lambda one: (one.fingerprint, repr(one.policy))}


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_OF_QUESTIONS)
def under_all_choices(question: Question, recipe: Recipe) -> UnderAllChoices:
    """An experiment under every choice of analysis; InputError in words."""
    design = question.region.mark(resources_of_experiments.design(question.experiment))
    return analysed(design, recipe, resources.store(), question.analysis)
