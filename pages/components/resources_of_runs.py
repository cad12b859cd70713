"""What the list of runs keeps between reruns."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.run_list import run_list, sizes_of_scores
from pages.components.resources import store


def runs() -> pd.DataFrame:
    """All runs as they are now (`core.run_list`); what their scores take up may be half a minute old."""
    return run_list(store(), _sizes())


@st.cache_data(ttl="30s", show_spinner=False)
def _sizes() -> pd.Series:
    return sizes_of_scores(store())
