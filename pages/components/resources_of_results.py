"""What finished runs and files of predictions keep between reruns: their comparisons, curves and answers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from core import alongside
from core.agreement.answers import Answers, answers_in_file, answers_of_run
from core.analysis import temperature
from core.policies import Policy
from core.result import Result
from pages.components import resources


def _identity(result: Result) -> tuple[str, str]:
    """A run's id, and when it was made."""
    return result.manifest["run_id"], result.manifest["finished"]


@st.cache_data(max_entries=32, show_spinner="Comparing …", hash_funcs={Result: _identity})
def against(first: Result, second: Result, metric: str) -> pd.DataFrame:
    """Two runs compared item by item (`core.alongside.against`)."""
    return alongside.against(first, second, metric)


@st.cache_data(max_entries=32, show_spinner="Computing …", hash_funcs={Result: _identity})
def temperature_curve(result: Result, temperatures: tuple[float, ...]) -> pd.DataFrame:
    """A run's headlines at these temperatures, all of them stored (`core.analysis.temperature.curve`)."""
    at = partial(resources.store().candidates, result.manifest["run_id"])
    return temperature.curve(at, temperatures, result.task, result.policy, result.rule)


def by_policy(result: Result) -> pd.DataFrame:
    """The finished runs of the same model and data (`core.alongside.by_policy`)."""
    return alongside.by_policy(result, resources.store())


@st.cache_resource(max_entries=16, show_spinner="Computing …", hash_funcs={Result: _identity})
def agreement(result: Result) -> Answers:
    """A run on an agreement set."""
    return answers_of_run(result, resources.store())


def agreement_in_file(path: Path, policy: Policy) -> Answers:
    """The log-probabilities in a file; InputError in words."""
    return _agreement_in_file(path, resources.states(path.parent), policy)


@st.cache_resource(max_entries=6, show_spinner="Reading …", hash_funcs={Policy: repr})
def _agreement_in_file(path: Path, states: tuple[object, ...], policy: Policy) -> Answers:  # noqa: ARG001
    return answers_in_file(path, policy)
