"""Two boxes, A and B: a sentence each, or one sentence per line, typed or pasted from a spreadsheet."""

from __future__ import annotations

import streamlit as st

from core.errors import InputError
from core.studies.compare.typed import SentencePair, read_pairs, two_columns
from core.studies.gallery import WorkedExample
from pages.components.shared import notices

_HELP = "One sentence, or one per line. Two columns copied from a spreadsheet can be pasted here: they fill A and B."


def type_sentences(first: WorkedExample, a: str = "a", b: str = "b") -> list[SentencePair]:
    """The pairs in the boxes, which begin with an example and are in the link as `a` and `b`.

    What cannot be read is said below the boxes in one sentence; then the list is empty.
    """
    boxes = ((a, "A", 0), (b, "B", 1))
    with st.container(key="sentences"):
        for column, (key, label, member) in zip(st.columns(2), boxes, strict=True):
            column.text_area(
                label, "\n".join(pair[member] for pair in first.pairs), key=key, height="content", help=_HELP,
                bind="query-params", placeholder="Type a sentence", on_change=_part, args=(key, a, b),
            )  # fmt: skip
    try:
        return read_pairs(st.session_state[a], st.session_state[b])
    except InputError as error:
        notices.error(error)
        return []


def _part(pasted: str, a: str, b: str) -> None:
    """Callback: two columns that were pasted into one box fill both."""
    if columns := two_columns(st.session_state[pasted]):
        st.session_state[a], st.session_state[b] = columns
