"""Tabs of which only the open one is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from pages.components.shared import keep_page, notices


def show_tabs(shows: Mapping[str, Callable[[], None]], key: str = "", said: Callable[[str], str] = str) -> None:
    """A tab per title; what cannot be shown in it is said in one sentence there, which `said` may translate.

    The link has the open one as `key`, which no other page may have, if not as `tab_` and the page's name.
    """
    key = key or "_".join(filter(None, ("tab", keep_page.opened())))
    for tab, show in zip(st.tabs(list(shows), key=key, bind="query-params"), shows.values(), strict=True):
        with tab, notices.explained_errors(said):
            if tab.open:
                show()
