"""What a page holds when it is left, put back when somebody returns by the menu or by Back."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

_OPEN, _LEFT = "open_page", "links_of_pages"


def opened() -> str:
    """The path of the page that is open, which is empty for the first one."""
    return str(st.session_state.get(_OPEN, ""))


def run(page: StreamlitPage) -> None:
    """Run a page; one that was open before in this tab, and is asked for without a link of its own, as it was left.

    Streamlit keeps the values of widgets that are bound to the link or persist for the session. It forgets the other
    parameters of the link, and on Back everything: the entry in the browser's history was emptied when the page was
    left.
    """
    left: dict[str, dict[str, list[str]]] = st.session_state.setdefault(_LEFT, {})
    returns = st.session_state.get(_OPEN) != page.url_path and page.url_path in left
    st.session_state[_OPEN] = page.url_path
    if returns and not st.query_params:
        st.switch_page(page, query_params=left[page.url_path])
    try:
        page.run()
    finally:
        bound = {*st.session_state}  # to ask it for a name that cannot be a key, as in a link with ?=x, is an error
        left[page.url_path] = {name: st.query_params.get_all(name) for name in st.query_params if name not in bound}
