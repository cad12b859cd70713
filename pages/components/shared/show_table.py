"""A table as all pages show it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

_MISSING = "–"


def show_table(table: pd.DataFrame, **options: Any) -> Any:
    """`st.dataframe` without row numbers, a dash where there is no value; returns what is selected, if asked for."""
    return st.dataframe(table, hide_index=True, placeholder=_MISSING, **options)
