"""What the page keeps between reruns: the gallery, and what pairs of sentences came to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.scoring.recipe import Recipe
from core.studies import gallery
from core.studies.compare.expectation import Expectation, expectations
from core.studies.compare.pair import Comparison
from core.studies.compare.policies import under_all_policies
from core.studies.compare.study import STUDY
from core.studies.compare.typed import Fields, SentencePair
from core.studies.inside import Inside, Question, coming_next, patched
from core.studies.inside import inside as looked_into
from pages.components.compare.waiting import in_view
from pages.components.shared import resources
from pages.components.shared.frame import own_place


@st.cache_resource(show_spinner=False)
def examples() -> tuple[gallery.WorkedExample, ...]:
    """The gallery."""
    return gallery.examples()


def warm_up(recipe: Recipe) -> None:
    """Load the recipe's scorer in the background, after the first paint was answered from stored scores."""
    if not resources.model_cache().holds(recipe):
        threading.Thread(target=partial(resources.model_cache().scorer, recipe), daemon=True).start()


def answer(question: Fields, recipe: Recipe, stop: Callable[[], None]) -> list[Comparison]:
    """A model's answer to what was typed; scored once, however often the page runs. PairlensError in words.

    `stop` is called if somebody stops it.
    """
    scorer = partial(resources.model_cache().scorer, recipe)
    return _once(
        "pairs", question.pairs, recipe, lambda: STUDY.answer(question, recipe, resources.store(), scorer), stop
    )


def expected(comparison: Comparison, place: int) -> list[Expectation]:
    """What the model expected at a word of a pair, likewise."""
    recipe = comparison.recipe
    scorer = partial(resources.scorer, recipe)
    return _once(
        f"expected at {place}", [comparison.pair], recipe,
        lambda: expectations(comparison, place, resources.store(), scorer),
    )  # fmt: skip


def policies(pairs: Sequence[SentencePair], recipe: Recipe) -> list[pd.DataFrame]:
    """The pairs under every policy, likewise."""
    found = partial(under_all_policies, pairs, recipe, resources.store(), resources.scorer)
    return _once("policies", pairs, recipe, found)


def inside(question: Question, recipe: Recipe, component: str) -> Inside:
    """What is found inside a model about a question, likewise; ModelError for one that cannot be looked into."""
    scorer = partial(resources.model_cache().scorer, patched(recipe))
    found: list[Inside] = _once(
        f"inside {component} {question.forms}", [question.beginnings], recipe,
        lambda: [looked_into(question, recipe, resources.store(), scorer, component)],
    )  # fmt: skip
    return found[0]


def next_with_patch(found: Inside, direction: str, layer: int, position: int) -> pd.DataFrame:
    """What comes next with the patch of a cell and without it, likewise."""
    recipe, question, component = found.recipe, found.question, found.component
    scorer = partial(resources.model_cache().scorer, patched(recipe))
    tables: list[pd.DataFrame] = _once(
        f"next {component} {direction} {layer} {position} {question.forms}", [question.beginnings], recipe,
        lambda: [coming_next(question, recipe, resources.store(), scorer, direction=direction, layer=layer,
                             position=position, component=component)],
    )  # fmt: skip
    return tables[0]


def _once(
    what: str,
    pairs: Sequence[SentencePair],
    recipe: Recipe,
    found: Callable[[], list[Any]],
    stop: Callable[[], None] | None = None,
) -> list[Any]:
    kept = _kept(what, tuple(pairs), recipe)
    with own_place():
        if not kept:  # not in `_kept`: what is cached cannot draw how far it is
            with in_view(recipe.model.name, stop), st.spinner("Scoring …"):
                kept[:] = found()
    return kept


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=resources.BY_IDENTITY)
def _kept(what: str, pairs: tuple[SentencePair, ...], recipe: Recipe) -> list[Any]:  # noqa: ARG001
    return []
