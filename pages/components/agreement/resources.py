"""What the page keeps between reruns: the answers of finished runs and of files of predictions."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.policies import Policy
from core.runs.result import Result
from core.studies.agreement.answers import Answers, answers_in_file, answers_of_run
from pages.components.shared import resources


@st.cache_resource(max_entries=16, show_spinner="Computing …", hash_funcs=resources.BY_IDENTITY)
def agreement(result: Result) -> Answers:
    """A run on an agreement set."""
    return answers_of_run(result, resources.store())


def agreement_in_file(path: Path, policy: Policy) -> Answers:
    """The log-probabilities in a file; InputError in words."""
    return _agreement_in_file(path, resources.states(path.parent), policy)


@st.cache_resource(max_entries=6, show_spinner="Reading …", hash_funcs={Policy: repr})
def _agreement_in_file(path: Path, states: tuple[object, ...], policy: Policy) -> Answers:  # noqa: ARG001
    return answers_in_file(path, policy)
