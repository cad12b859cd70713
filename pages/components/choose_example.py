"""The gallery: worked examples, each with what is expected and what the bundled model did."""

from __future__ import annotations

import streamlit as st

from core.gallery import Example
from pages.components import notices, resources

_OUTCOMES = {True: "as expected", False: "goes wrong", None: "no verdict"}


def choose_example(model_name: str, a: str = "a", b: str = "b") -> None:
    """A button that opens the gallery; choosing an example puts its sentences into the widgets `a` and `b`."""
    if st.button("Gallery", icon=":material/menu_book:"):
        _gallery(model_name, a, b)


@st.dialog("Gallery", width="large")
def _gallery(model_name: str, a: str, b: str) -> None:
    notices.write(f"What {model_name} does with each is said at the right. Nothing is loaded.", "pl-quiet")
    for example in resources.examples():
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            with st.container(gap=None, width=520):
                if st.button(
                    example.title, key=f"example_{example.id}", type="tertiary", on_click=_take, args=(example, a, b)
                ):
                    st.rerun()
                notices.write(
                    "$phenomenon · $reference", "pl-quiet", phenomenon=example.phenomenon, reference=example.reference
                )
            notices.write(_outcome(example, model_name), "pl-quiet")


def _outcome(example: Example, model_name: str) -> str:
    result = example.measured.get(model_name)
    return _OUTCOMES[result.right] if result else "not measured"


def _take(example: Example, a: str, b: str) -> None:
    st.session_state[a] = "\n".join(first for first, _ in example.pairs)
    st.session_state[b] = "\n".join(second for _, second in example.pairs)
