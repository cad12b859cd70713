"""The beginning of a text, which grows: typed, or a likely word at a time, which can be taken back."""

from __future__ import annotations

import streamlit as st

from core.studies.next_word.examples import Beginning

_GROWN = "prefixes_before"
"""Earlier prefixes, the last one at the end."""
_OPENED_WITH = "next_word_opened_with"
"""The example that was in the boxes before anything was typed."""


def type_prefix(first: str, key: str) -> str:
    """The prefix in its box, which begins with an example and is in the link as `key`."""
    with st.container(key="sentences"):
        typed = st.text_area(
            "Beginning of a text", first, key=key, height="content", bind="query-params",
            placeholder="Type the beginning of a sentence, or nothing for the beginning of a text",
            help="What comes next is asked after the last letter. A space at the end makes no difference.",
        )  # fmt: skip
    if st.session_state.get(_GROWN):
        st.button("Take back", icon=":material/undo:", on_click=_take_back, args=(key,), key="take_back")
    return str(typed)


def follow(first: Beginning, prefix: str, forms: str) -> None:
    """Another model's language, another example: as long as nothing else was typed, chosen or linked."""
    before: Beginning = st.session_state.get(_OPENED_WITH, first)
    if before != first and (st.session_state.get(prefix), st.session_state.get(forms)) == (
        before.prefix,
        before.forms,
    ):
        st.session_state[prefix], st.session_state[forms] = first.prefix, first.forms
    if not {prefix, forms} & set(st.query_params):
        st.session_state[_OPENED_WITH] = first


def replace_prefix(key: str, text: str) -> None:
    """Callback: another prefix; the one before is kept."""
    st.session_state.setdefault(_GROWN, []).append(st.session_state[key])
    st.session_state[key] = text


def grow(key: str, addition: str) -> None:
    """Callback: the prefix with something likely after it."""
    typed = str(st.session_state[key]).rstrip()
    replace_prefix(key, typed + addition if typed else addition.lstrip())


def _take_back(key: str) -> None:
    st.session_state[key] = st.session_state[_GROWN].pop()
