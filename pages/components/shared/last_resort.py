"""What no page expected: one sentence with a reference, and two ways on. The log says more (`core.unexpected`).

Streamlit hands every error that ends a page, a fragment or a callback to one function, which shows a traceback or
says that it hides one. What it raises itself to stop or to start a page anew never gets there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import streamlit as st
from streamlit import error_util

from core import unexpected
from core.errors import PairlensError
from core.messages import Message
from pages.components.shared import notices
from pages.components.shared.free_key import free_key

_LANGUAGE = "language_of_errors"
_STYLE = Path(__file__).parent / "style.css"
_SENTENCE = Message(
    "Something unexpected went wrong here: what you entered is kept, and the log of this dashboard says more under "
    "the reference {reference}."
)


def stand_by() -> None:
    """From now on, in all sessions of this process."""
    error_util.invoke_script_error_handler = _explain


def speak(said: Callable[[str], str]) -> None:
    """In this session, until another page is opened, in the language into which `said` puts a sentence."""
    st.session_state[_LANGUAGE] = said


def _explain(ex: Exception, on_script_error: Callable[[Exception], bool | None] | None) -> bool:  # noqa: ARG001
    """Say it where the visitor looks; whether that was done, and Streamlit need not."""
    with suppress(Exception):  # memory may be used up
        st.html(_STYLE)  # a callback fails before its page begins
        said = st.session_state.get(_LANGUAGE, str)
        if isinstance(ex, PairlensError):
            notices.error(said(ex.message))
        else:
            notices.error(said(Message(_SENTENCE, reference=unexpected.record(ex))))
        anew = said("Start the page anew")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(said("Try again"), icon=":material/refresh:", key=free_key("try_again"))
            st.html(f'<a href="?" target="_self">{anew}</a>')
        return True
    return False
