"""The gallery: worked examples, each with what it shows and what the bundled model did."""

from __future__ import annotations

import streamlit as st

from core.studies import gallery
from core.studies.gallery import WorkedExample, measured
from core.types import Model
from pages.components.compare import resources
from pages.components.compare.type_sentences import both
from pages.components.shared import notices
from pages.components.shared.predict_first import predicts_first


def choose_example(model: Model | None) -> None:
    """A button that opens the gallery; choosing an example puts its sentences into the boxes."""
    if st.button("Gallery", icon=":material/menu_book:"):
        _gallery(model)


@st.dialog("Gallery", width="large")
def _gallery(model: Model | None) -> None:
    examples = resources.examples()
    read = gallery.languages_of(model.card if model else {}, examples)
    if not st.toggle("Other languages too", key="gallery_all"):
        examples = tuple(example for example in examples if example.language in read)
    ordered = sorted(examples, key=lambda example: example.language not in read)
    half = (len(ordered) + 1) // 2
    for column, some in zip(st.columns(2, gap="medium"), (ordered[:half], ordered[half:]), strict=True):
        for example in some:
            with column, st.container(gap=None, key=f"gallery_{example.id}"):
                _entry(example, model.name if model else "")


def _entry(example: WorkedExample, model_name: str) -> None:
    if st.button(example.title, key=f"take_{example.id}", type="tertiary", on_click=take, args=(example,)):
        st.rerun()
    outcome = "" if predicts_first() else measured(example, model_name)
    notices.write("$what", "pl-quiet", what=f"{example.phenomenon} · {outcome}" if outcome else example.phenomenon)


def take(example: WorkedExample) -> None:
    """Callback: the example's sentences into the boxes."""
    st.session_state["a"], st.session_state["b"] = both(example)
