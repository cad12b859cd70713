"""Two boxes, A and B: a sentence each, or one sentence per line, typed or pasted from a spreadsheet."""

from __future__ import annotations

import streamlit as st

from core.studies import gallery
from core.studies.compare.typed import Fields, SentencePair, check_size, n_differing, two_columns
from core.studies.gallery import WorkedExample
from core.studies.study import asked_of
from core.text import visible
from core.types import Model
from pages.components.compare import resources
from pages.components.compare.gallery import both
from pages.components.shared import notices

_PASTE = "Two columns copied from a spreadsheet can be pasted here: they fill A and B."
_EMPTY = "Type a sentence in A and another in B, or take a pair from the Gallery."
_OPENED_WITH = "compare_opened_with"
"""The language of the pair that was in the boxes before anything was typed."""
_ONE_WORD = 2
"""As `n_differing` counts one that is replaced."""
_BEFORE = "compare_answered"
"""The texts that were answered last."""


def type_sentences(model: Model | None) -> Fields | None:
    """What is in the boxes, which begin with an example in the model's language and are in the link as `a` and `b`.

    What cannot be read is said below the boxes in one sentence; then there is nothing.
    """
    examples = resources.examples()
    language = gallery.languages_of(model.card if model else {}, examples)[0]
    first = gallery.first_in(language, examples)
    _follow(language, first)
    with st.container(key="sentences"):
        for column, (key, asked), text in zip(st.columns(2), asked_of(Fields).items(), both(first), strict=True):
            column.text_area(
                asked.label, text, key=key, height="content", help=f"{asked.help} {_PASTE}", bind="query-params",
                placeholder="Type a sentence", on_change=_part, args=(key,),
            )  # fmt: skip
    typed = st.session_state["a"], st.session_state["b"]
    if not all(map(visible, typed)):
        notices.note(_EMPTY)
        return None
    if waits_for := _half_typed(typed):
        notices.note(f"{waits_for} is still from the pair before: type it too, and the answer comes.")
        st.button("Compare them as they are", key="as_they_are", on_click=_take_as_typed, args=(typed,))
        return None
    _take_as_typed(typed)
    question = Fields(*typed)
    with notices.explained_errors():
        check_size(question.pairs)
        return question
    return None


def _half_typed(typed: SentencePair) -> str:
    """The box that is still as it was when a pair was answered last, while the other one has another sentence now.

    One word changed is no other sentence, and neither is one that differs from the rest of the pair by one word.
    """
    before = st.session_state.get(_BEFORE, typed)
    kept = [label for label, now, then in zip("AB", typed, before, strict=True) if now == then]
    edited = max(map(n_differing, typed, before))
    return kept[0] if len(kept) == 1 and min(edited, n_differing(*typed)) > _ONE_WORD else ""


def _take_as_typed(typed: SentencePair) -> None:
    """Also a callback: these two belong together."""
    st.session_state[_BEFORE] = typed


def _follow(language: str, first: WorkedExample) -> None:
    """Another model's language, another pair: as long as nothing else was typed, chosen or linked."""
    before = st.session_state.get(_OPENED_WITH, language)
    shown = both(gallery.first_in(before, resources.examples()))
    if before != language and (st.session_state.get("a"), st.session_state.get("b")) == shown:
        st.session_state["a"], st.session_state["b"] = both(first)
    if not {"a", "b"} & set(st.query_params):
        st.session_state[_OPENED_WITH] = language


def _part(pasted: str) -> None:
    """Callback: two columns that were pasted into one box fill both."""
    if columns := two_columns(st.session_state[pasted]):
        st.session_state["a"], st.session_state["b"] = columns
