"""What the page Next word keeps between reruns."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.scoring.recipe import Recipe
from core.studies.next_word import forms
from core.studies.next_word.forms import FormComparison, compare_forms
from core.studies.next_word.next_token import NextTokens, places
from core.studies.next_word.next_token import next_tokens as expected_at
from core.studies.next_word.prefix import predictor, read_prefix, refuse_long
from core.studies.next_word.table import next_word_table as published
from pages.components.shared import resources


def next_places(typed: str, recipe: Recipe) -> tuple[str, pd.DataFrame]:
    """A prefix as the model reads it, and the uncertainty at each of its places; PairlensError in words."""
    refuse_long(typed)
    return _next_places(typed, recipe)


@st.cache_resource(max_entries=256, show_spinner="Asking …", hash_funcs=resources.BY_IDENTITY)
def _next_places(typed: str, recipe: Recipe) -> tuple[str, pd.DataFrame]:
    prefix = read_prefix(typed, recipe)
    return prefix, places(prefix, predictor(recipe, lambda: resources.model_cache().scorer(recipe)))


@st.cache_resource(max_entries=256, show_spinner="Asking …", hash_funcs=resources.BY_IDENTITY)
def next_tokens(prefix: str, position: int, recipe: Recipe) -> NextTokens:
    """What is expected after so many pieces of a prefix (as the model reads it)."""
    return expected_at(
        prefix, position, predictor(recipe, lambda: resources.model_cache().scorer(recipe)), recipe.policy
    )


@st.cache_resource(max_entries=256, show_spinner="Comparing …", hash_funcs=resources.BY_IDENTITY)
def choice(prefix: str, typed: tuple[str, ...], recipe: Recipe) -> FormComparison:
    """Forms after a prefix (as typed); PairlensError in words."""
    return compare_forms(
        [(prefix, typed)], recipe, resources.store(), lambda: resources.model_cache().scorer(recipe)
    )[0]


@st.cache_resource(max_entries=256, show_spinner="Asking …", hash_funcs=resources.BY_IDENTITY)
def guessed(prefix: str, word: str, recipe: Recipe) -> forms.Form:
    """A word that was guessed after a prefix (both as typed); PairlensError in words."""
    return forms.guessed(prefix, word, recipe, resources.store(), lambda: resources.model_cache().scorer(recipe))


@st.cache_resource(max_entries=64, show_spinner="Asking …", hash_funcs=resources.BY_IDENTITY)
def next_word_table(prefix: str, recipe: Recipe, by: str) -> pd.DataFrame:
    """The published table of a prefix (as typed), without the number of the text; PairlensError in words."""
    opened = predictor(recipe, lambda: resources.model_cache().scorer(recipe))
    return published([prefix], recipe, opened, by=by, prefixes=True).drop(columns="sentence")
