"""The triples with their three scores, by bias type and term; one opens in Compare."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.studies.stereoset.rows import pair_of, triple_rows
from pages.components.shared import notices
from pages.components.shared.downloads import show_downloads
from pages.components.shared.link import open_in_compare
from pages.components.shared.tables import show_table
from pages.components.stereoset.results import StereoSetResult

_SHOWN = 500
ALL = "All"
LINK = OF_TYPE, OF_TERM = "bias_type", "term"
_SCORE = "%.3g"
_COLUMNS = {
    "term": "Term",
    "stereotype_text": st.column_config.TextColumn("Stereotype", width="medium"),
    "stereotype": st.column_config.NumberColumn("Score", format=_SCORE, width="small"),
    "anti_text": st.column_config.TextColumn("Anti-stereotype", width="medium"),
    "anti-stereotype": st.column_config.NumberColumn("Score", format=_SCORE, width="small"),
    "unrelated_text": st.column_config.TextColumn("Unrelated", width="medium"),
    "unrelated": st.column_config.NumberColumn("Score", format=_SCORE, width="small"),
    "prefers": "Prefers",
    "context": st.column_config.TextColumn("Context", width="medium"),
    "bias_type": "Bias type",
}


def show_triples(one: StereoSetResult, kind: str) -> None:
    """All triples of a task, or those of one bias type or term."""
    rows = triple_rows(one.examples, one.measured, kind)
    with st.container(horizontal=True):
        bias_type = _choose("Bias type", rows["bias_type"].unique(), OF_TYPE)
        rows = rows if bias_type == ALL else rows[rows["bias_type"] == bias_type]
        term = _choose("Term", sorted(rows["term"].unique()), OF_TERM)
        rows = rows if term == ALL else rows[rows["term"] == term]
    shown = rows.head(_SHOWN)
    notices.write(
        "$shown of $n. Only the order of the three scores counts. Choose one to open its pair in Compare.",
        "pl-quiet", shown=f"{len(shown):,}", n=notices.counted(len(rows), "triple"),
    )  # fmt: skip
    event = show_table(
        shown[list(_COLUMNS)], column_config=_COLUMNS, on_select="rerun",
        selection_mode="single-row", key=f"stereoset_triples_{one.key}_{kind}_{bias_type}_{term}",
        selection_default={"selection": {"rows": [0]}}, alt="One row per triple",
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        open_in_compare(*pair_of(shown.iloc[place]), one.model, one.policy)
    show_downloads(f"{one.key}-triples-{kind}", rows)


def _choose(label: str, choices: Iterable[str], key: str) -> str:
    """One of them, in the link as `key`, or all: also where what was chosen is not among them any more."""
    listed = [ALL, *choices]
    if st.session_state.get(key, ALL) not in listed:
        st.session_state[key] = ALL
    return str(st.selectbox(label, listed, key=key, bind="query-params", width=220))
