"""What a page holds when it is left, put back when somebody returns by the menu or by Back."""

from __future__ import annotations

import re

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.components.shared import notices

_OPEN, _LEFT, _REFUSED = "open_page", "links_of_pages", "refused_parameters"
_UNUSABLE = re.compile("[\0\ud800-\udfff]")
"""What no text of a link can hold: nothing that reads files or tables takes it."""


def opened() -> str:
    """The path of the page that is open, which is empty for the first one."""
    return str(st.session_state.get(_OPEN, ""))


def run(page: StreamlitPage) -> None:
    """Run a page; one that was open before in this tab, and is asked for without a link of its own, as it was left.

    Streamlit keeps the values of widgets that are bound to the link or persist for the session. It forgets the other
    parameters of the link, and on Back everything: the entry in the browser's history was emptied when the page was
    left. A parameter that nothing could read is left out for all pages here.
    """
    left: dict[str, dict[str, list[str]]] = st.session_state.setdefault(_LEFT, {})
    opens = st.session_state.get(_OPEN) != page.url_path
    st.session_state[_OPEN] = page.url_path
    asked = {name: st.query_params.get_all(name) for name in st.query_params}
    unusable = [name for name, values in asked.items() if _UNUSABLE.search("".join((name, *values)))]
    if opens and unusable:
        st.session_state[_REFUSED] = unusable
        st.switch_page(page, query_params={name: asked[name] for name in asked if name not in unusable})
    if opens and not asked and page.url_path in left:
        st.switch_page(page, query_params=left[page.url_path])
    try:
        page.run()
    finally:
        bound = {*st.session_state}  # to ask it for a name that cannot be a key, as in a link with ?=x, is an error
        if page.url_path == "results" or "run" not in st.query_params:  # else Results has opened a run there
            left[page.url_path] = {
                name: st.query_params.get_all(name) for name in st.query_params if name not in bound
            }


def say_refused() -> None:
    """Below the title, which parameters of the link were left out."""
    for name in st.session_state.pop(_REFUSED, ()):
        notices.error(
            f"The parameter {name[:40]!r} of this link holds a character that no text has: it was left out."
        )
