"""Tabs of which only the open one is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.components.shared import notices


def show_tabs(shows: Mapping[str, Callable[[], None]], key: str = "detail", said: Callable[[str], str] = str) -> None:
    """A tab per title; what cannot be shown in it is said in one sentence there, which `said` may translate."""
    for tab, show in zip(st.tabs(list(shows), key=key, on_change="rerun"), shows.values(), strict=True):
        with tab, notices.explained_errors(said):
            if tab.open:
                show()
