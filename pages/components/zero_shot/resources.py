"""What the page keeps between reruns: curves over temperature."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.analysis import temperature
from core.runs.result import Result
from pages.components.shared import resources


@st.cache_data(max_entries=32, show_spinner="Computing …", hash_funcs=resources.BY_IDENTITY)
def temperature_curve(result: Result, temperatures: tuple[float, ...]) -> pd.DataFrame:
    """A run's headlines at these temperatures, all of them stored (`core.analysis.temperature.curve`)."""
    at = partial(resources.store().candidates, result.manifest["run_id"])
    return temperature.curve(at, temperatures, result.task, result.policy, result.rule)
