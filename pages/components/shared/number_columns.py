"""Columns of numbers in tables: written as their metric's scale is, or with their unit."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from core.metrics import METRICS


def number_columns(titles: Mapping[str, str], metric: str) -> dict[str, ColumnConfig]:
    """Column configurations under these titles: shares in per cent, all else with three decimals."""
    style = "percent" if METRICS[metric].scale == "share" else "%.3f"
    return {name: st.column_config.NumberColumn(title, format=style) for name, title in titles.items()}


def numbers_in(unit: str, titles: Mapping[str, str]) -> dict[str, ColumnConfig]:
    """Column configurations with the unit after each title, three digits."""
    return {name: st.column_config.NumberColumn(f"{title} ({unit})", format="%.3g") for name, title in titles.items()}
