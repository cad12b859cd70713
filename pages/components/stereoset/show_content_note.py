"""What a visitor should know before reading on: said once per session, closed for good."""

from __future__ import annotations

import streamlit as st

from pages.components.shared import notices


def show_content_note(name: str, text: str) -> None:
    """The note, with a button that closes it; `name` says which one was closed."""
    key = f"note_{name}_closed"
    if st.session_state.get(key):
        return
    with st.container(horizontal=True, vertical_alignment="center", key=f"note_{name}"):
        with st.container():
            notices.note(text)
        st.button("Close", icon=":material/close:", key=f"close_{name}", on_click=_close, args=(key,))


def _close(key: str) -> None:
    st.session_state[key] = True
