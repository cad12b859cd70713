"""Two boxes, A and B: a sentence each, or one sentence per line, typed or pasted from a spreadsheet."""

from __future__ import annotations

import streamlit as st

from core.errors import InputError
from core.gallery import Example
from core.comparison.typed import Pair, read_pairs
from pages.components import notices


def type_sentences(first: Example, a: str = "a", b: str = "b") -> list[Pair]:
    """The pairs in the boxes, which begin with an example and are in the link as `a` and `b`.

    What cannot be read is said below the boxes in one sentence; then the list is empty.
    """
    with st.container(key="sentences"):
        for column, key, label, place in zip(st.columns(2), (a, b), ("A", "B"), (0, 1), strict=True):
            column.text_area(
                label, "\n".join(pair[place] for pair in first.pairs), key=key, height="content", bind="query-params",
                placeholder="Type a sentence", help="One sentence, or one per line. Two columns copied from a spreadsheet can be pasted into A.",
            )  # fmt: skip
    try:
        return read_pairs(st.session_state[a], st.session_state[b])
    except InputError as error:
        notices.error(error)
        return []
