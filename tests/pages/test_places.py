"""Widgets stay where they are: one that moves in the page is no longer bound to the link; Back loses its value."""

from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st

from tests.thinned import thinned

PAGES = (
    "compare",
    "next_word",
    "train",
    "zero_shot",
    "agreement",
    "stereoset",
    "minimal_pairs",
    "nli",
    "data",
    "models",
)


def places(block: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The widgets with a key below a block, each with the way to it."""
    for number, child in block.children.items():
        if key := getattr(child, "key", None):
            yield key, (*place, number)
        if hasattr(child, "children"):
            yield from places(child, (*place, number))


@pytest.mark.model
@pytest.mark.parametrize("page", thinned(PAGES, 3))
def test_what_had_to_be_computed_moves_no_widget(visit_page, home, page):
    st.cache_resource.clear()
    st.cache_data.clear()
    opened = visit_page(page)
    before = dict(places(opened.main))
    after = dict(places(opened.run().main))
    assert before and {key: after.get(key) for key in before if key in after} == {
        key: place for key, place in before.items() if key in after
    }
