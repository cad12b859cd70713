"""What the page keeps between reruns: curves over temperature, effects, numbers by language."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.analysis import temperature
from core.analysis.reading import partial_effects
from core.metrics import METRICS
from core.reports.languages import by_language
from core.runs.result import Result
from pages.components.shared import resources


@st.cache_data(max_entries=32, show_spinner="Computing …", hash_funcs=resources.BY_IDENTITY)
def temperature_curve(result: Result, temperatures: tuple[float, ...]) -> pd.DataFrame:
    """A run's headlines at these temperatures, all of them stored (`core.analysis.temperature.curve`)."""
    at = partial(resources.store().candidates, result.manifest["run_id"])
    return temperature.curve(at, temperatures, result.task, result.policy, result.rule)


@st.cache_data(max_entries=32, show_spinner="Computing …", hash_funcs=resources.BY_IDENTITY)
def reading_effects(result: Result, metrics: tuple[str, ...]) -> pd.DataFrame:
    """The partial effects of surprisal behind these numbers (`core.analysis.reading`)."""
    tables = [partial_effects(METRICS[name], result.candidates, result.policy) for name in metrics]  # type: ignore[arg-type]
    return pd.concat(tables, ignore_index=True)


@st.cache_data(max_entries=32, show_spinner="Reading …")
def languages(run_ids: tuple[str, ...]) -> pd.DataFrame:
    """These runs by language and phenomenon (`core.reports.languages.by_language`)."""
    return by_language([resources.result(run_id) for run_id in run_ids])
