"""A column of a visitor's table for a role; it is kept while the tab is open."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

NONE = "–"


def choose_column(label: str, options: Sequence[str], key: str, first: str = "", none: str = NONE) -> str:
    """One of the options, `first` to begin with if it is one of them; empty for `none`."""
    listed = [none, *options]
    place = listed.index(first) if first in listed else 0
    chosen = st.selectbox(label, listed, index=place, key=key, persist_state="session")
    return "" if chosen == none else str(chosen)
