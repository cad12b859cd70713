"""What the page keeps between reruns: the gallery, and what pairs of sentences came to."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.scoring.recipe import Recipe
from core.studies import gallery
from core.studies.compare import Comparison, compare
from core.studies.compare.typed import SentencePair
from pages.components.shared import resources


@st.cache_resource
def examples() -> tuple[gallery.WorkedExample, ...]:
    """The gallery."""
    return gallery.examples()


def warm_up(recipe: Recipe) -> None:
    """Load the recipe's scorer in the background, after the first paint was answered from stored scores."""
    if not resources.model_cache().holds(recipe):
        threading.Thread(target=partial(resources.model_cache().scorer, recipe), daemon=True).start()


def compared(pairs: Sequence[SentencePair], recipe: Recipe) -> list[Comparison]:
    """These pairs under a recipe; scored once, however often the page runs. PairlensError in words."""
    return _compared(tuple(pairs), recipe)


@st.cache_resource(max_entries=256, show_spinner="Scoring …", hash_funcs=resources.BY_IDENTITY)
def _compared(pairs: tuple[SentencePair, ...], recipe: Recipe) -> list[Comparison]:
    return compare(pairs, recipe, resources.store(), lambda: resources.model_cache().scorer(recipe))
