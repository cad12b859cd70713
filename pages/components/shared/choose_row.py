"""One row of a table, chosen by a click and kept in the link and, while the tab is open, for the next visit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.errors import unknown
from pages.components.shared import notices
from pages.components.shared.show_table import show_table

PARAMETER = "set"
_MOST_HEIGHT = 330


def choose_row(
    rows: pd.DataFrame, names: Sequence[str], columns: Mapping[str, Any], alt: str, version: str = "",
    parameter: str = PARAMETER, noun: str = "data set",
) -> str:  # fmt: skip
    """The name of the chosen row, at first that of the link, the last visit's or the first; `names`: one per row.

    `parameter` is what the link calls it, `noun` what a row is.

    Another `version` is another table: what was chosen in the one before is forgotten.
    """
    asked, before = st.query_params.get(parameter, ""), f"row_of_{alt}"
    if asked and asked not in names:
        notices.error(unknown(noun, asked, names))
        del st.query_params[parameter]
        asked = ""
    last = asked or st.session_state.get(before)
    place = names.index(last) if last in names else 0
    event = show_table(
        rows, column_config=columns, on_select="rerun", selection_mode="single-row-required",
        key=f"rows_{alt}_{version}", selection_default={"selection": {"rows": [place]}}, alt=alt,
        height="content" if len(rows) <= 8 else _MOST_HEIGHT,
    )  # fmt: skip
    # A table that has become shorter may still remember a row that it had.
    chosen = next((names[row] for row in event.selection.rows if row < len(names)), names[place])
    if chosen != (asked or names[0]):
        st.query_params[parameter] = chosen
    st.session_state[before] = chosen
    return chosen


def forget_row() -> None:
    """Callback: what was chosen in one table means nothing in another."""
    if PARAMETER in st.query_params:
        del st.query_params[PARAMETER]
