"""Which runs of the list are shown: those with some words, of some tasks, models, states and tags."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.runs.run_list import Wanted, all_tags, chosen

WORDS = "words"


def choose_run_filter(runs: pd.DataFrame) -> pd.DataFrame:
    """The runs that are wanted; the words are shared in the link."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input("Find", key=WORDS, bind="query-params", placeholder="words, model, tag …", width=260)
        with st.popover("Filter", icon=":material/filter_list:", key="run_filter"):
            tasks = _several("Task", dict(zip(runs["task"], runs["task_title"], strict=True)))
            models = _several("Model", {name: name for name in runs["model"]})
            states = _several("State", {name: name for name in runs["state"]})
            tags = _several("Tag", {name: name for name in all_tags(runs)})
    return chosen(runs, Wanted(words, tasks, models, states, tags))


def _several(label: str, titles: dict[str, str]) -> tuple[str, ...]:
    """A choice of any number among these; none is all."""
    key = f"only_{label}"
    st.session_state[key] = [one for one in st.session_state.get(key, []) if one in titles]
    return tuple(
        st.multiselect(
            label, sorted(titles), key=key, format_func=titles.__getitem__, placeholder="all", width=260,
            persist_state="session",
        )
    )  # fmt: skip
