"""What finished runs keep between reruns: how a number was made, another run beside it, all policies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.reports.multiverse import Layout, lay_out, wording
from core.reports.multiverse.adding_up import Scores
from core.reports.multiverse.items import Decisions, decisions
from core.reports.multiverse.matching import printable as printable_numbers
from core.reports.multiverse.numbers import numbers
from core.reports.multiverse.scoring import seconds as seconds_of_missing
from core.reports.run_comparison import two_runs
from core.runs.receipts.bibtex import bibtex, keys_of, model_of
from core.runs.receipts.methods import methods
from core.runs.receipts.run import FEW, receipt
from core.runs.result import Result
from pages.components.shared import resources
from pages.components.shared.show_receipt import Made


def made(run_id: str, metric: str = "", group: str = "") -> Made:
    """How a number of a run was made, a few items worked out; StoreError or PolicyError in words."""
    return _made(run_id, state_of(run_id), metric, group)


@st.cache_resource(max_entries=32, show_spinner="Following the number …")
def _made(run_id: str, state: tuple[object, ...], metric: str, group: str) -> Made:  # noqa: ARG001
    told = receipt(resources.store(), run_id, metric, group, most=FEW)
    return Made(told, methods(told), bibtex(keys_of(told), model_of(told)), (run_id,))


def state_of(run_id: str) -> tuple[object, ...]:
    """What changes when a run is made again."""
    manifest = resources.store().manifest(run_id)
    return manifest["state"], manifest.get("finished")


@st.cache_data(max_entries=32, show_spinner="Comparing …", hash_funcs=resources.BY_IDENTITY)
def against(first: Result, second: Result, metric: str) -> pd.DataFrame:
    """Two runs compared item by item (`core.reports.run_comparison.two_runs.against`)."""
    return two_runs.against(first, second, metric)


@dataclass(frozen=True)
class UnderAllPolicies:
    """The numbers under each stored policy, why some have none, the decisions, and what SLOR and PMI are."""

    numbers: pd.DataFrame
    reasons: dict[str, str]
    decisions: Decisions | None
    corrections: str


def _of_layout(layout: Layout) -> tuple[object, ...]:
    return layout.run_id, layout.metric, repr(layout.policy), tuple(sorted(layout.runs.values()))


_BY_LAYOUT: dict[str | type, Callable[[Any], object]] = {Layout: _of_layout}


def layout(run_id: str, metric: str) -> Layout:
    """The policies of a run's number, and which are stored; PairlensError in words."""
    runs = resources.store().runs()
    finished = runs[runs["state"] == "done"]
    return _layout(run_id, metric, tuple(zip(finished["run_id"], finished["finished"], strict=True)))


@st.cache_resource(max_entries=12, show_spinner="Looking for scores …")
def _layout(run_id: str, metric: str, finished: tuple[tuple[str, str], ...]) -> Layout:  # noqa: ARG001
    return lay_out(resources.store(), run_id, metric)


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_LAYOUT)
def under_all_policies(layout: Layout) -> UnderAllPolicies:
    """Everything that is a query on stored scores."""
    scores = Scores(layout, resources.store())
    table, reasons = numbers(layout, scores)
    return UnderAllPolicies(table, reasons, decisions(layout, scores), wording.corrections(layout, scores, reasons))


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_LAYOUT)
def printable(layout: Layout) -> pd.DataFrame:
    """Every number of the run that could have been printed (`core.reports.multiverse.matching.printable`)."""
    return printable_numbers(layout, Scores(layout, resources.store()))


@st.cache_resource(max_entries=12, ttl=60, show_spinner="Counting texts …", hash_funcs=_BY_LAYOUT)
def seconds(layout: Layout) -> float:
    """How long scoring all that is missing will take, about; a pass that is stopped leaves less to do.

    ModelError in words if the run's model is not here any more.
    """
    return seconds_of_missing(layout, resources.store())
