"""The ready questions, and a field for every parameter of a query."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.store.saved_queries import SAVED_QUERIES, Parameter, SavedQuery, choices
from pages.components.shared import notices, resources

OWN = SavedQuery("", "Write your own", "Any SELECT over these tables. $name in a query becomes an input field.", "")
_OFFERED = {"": OWN, **dict(sorted(SAVED_QUERIES.items(), key=lambda pair: pair[1].title))}


def choose_question() -> SavedQuery:
    """A ready question, which goes into the editor, or `OWN`; with the sentence that says what it answers."""
    name = st.selectbox(
        "Question", list(_OFFERED), key="sql_question", format_func=lambda name: _OFFERED[name].title,
        on_change=_fill, persist_state="session",
    )  # fmt: skip
    asked = _OFFERED[str(name)]
    notices.write("$about", "pl-quiet", about=asked.about)
    return asked


def _fill() -> None:
    """Callback: the editor holds the question that was chosen; for one's own, what is there stays."""
    if chosen := SAVED_QUERIES.get(st.session_state["sql_question"]):
        st.session_state["sql_text"] = chosen.sql


def choose_values(names: Sequence[str], asked: SavedQuery) -> dict[str, str | float]:
    """A field for every parameter that the query names: as the ready question has it, else plain text."""
    if not names:
        return {}
    known = {parameter.name: parameter for parameter in asked.parameters}
    order = [name for name in known if name in names] + [name for name in names if name not in known]
    values: dict[str, str | float] = {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in order:
            chosen = {key: str(value) for key, value in values.items()}
            values[name] = _choose(known.get(name, Parameter(name, "text", name)), chosen)
    return values


def _choose(parameter: Parameter, chosen: dict[str, str]) -> str | float:
    """One field; what a link gave is in it at first."""
    key = f"sql_value_{parameter.kind}_{parameter.name}"
    given = st.session_state.get("sql_given", {}).get(parameter.name)
    possible = choices(parameter, resources.store(), chosen)
    label = notices.literal(parameter.label)
    if possible:
        options = list(possible)
        if st.session_state.get(key, given) in options:
            st.session_state[key] = st.session_state.get(key, given)
        else:
            st.session_state.pop(key, None)
        return str(st.selectbox(label, options, key=key, format_func=possible.__getitem__, persist_state="session"))
    if key not in st.session_state:
        st.session_state[key] = str(parameter.default if given is None else given)
    text = st.text_input(label, key=key, persist_state="session")
    with notices.explained_errors():
        return parameter.typed(text)
    return text
