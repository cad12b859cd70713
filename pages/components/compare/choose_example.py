"""The gallery: worked examples, each with what it shows and what the bundled model did."""

from __future__ import annotations

import streamlit as st

from core.studies.gallery import WorkedExample
from core.studies.gallery.wording import measured
from pages.components.compare import resources
from pages.components.shared import notices


def choose_example(model_name: str, a: str = "a", b: str = "b") -> None:
    """A button that opens the gallery; choosing an example puts its sentences into the widgets `a` and `b`."""
    if st.button("Gallery", icon=":material/menu_book:"):
        _gallery(model_name, a, b)


@st.dialog("Gallery", width="large")
def _gallery(model_name: str, a: str, b: str) -> None:
    examples = resources.examples()
    half = (len(examples) + 1) // 2
    for column, some in zip(st.columns(2, gap="medium"), (examples[:half], examples[half:]), strict=True):
        for example in some:
            with column, st.container(gap=None, key=f"gallery_{example.id}"):
                _entry(example, model_name, a, b)


def _entry(example: WorkedExample, model_name: str, a: str, b: str) -> None:
    if st.button(example.title, key=f"take_{example.id}", type="tertiary", on_click=_take, args=(example, a, b)):
        st.rerun()
    outcome = measured(example, model_name)
    notices.write("$what", "pl-quiet", what=f"{example.phenomenon} · {outcome}" if outcome else example.phenomenon)


def _take(example: WorkedExample, a: str, b: str) -> None:
    st.session_state[a] = "\n".join(first for first, _ in example.pairs)
    st.session_state[b] = "\n".join(second for _, second in example.pairs)
