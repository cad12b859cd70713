"""Models that are asked about a language, or in characters, of which they have read nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import streamlit as st

from core.errors import PairlensError
from core.models.unreadable import hardly_read, why_unreadable
from core.runs.result import Result
from core.scorers import SCORERS
from core.scoring.recipe import Recipe
from core.text import looks_tokenised, unread
from core.types import Model
from pages.components.shared import notices, resources

_LOOKED_AT = 200
"""Candidates of a run."""
_NAMED, _NAMED_WORDS = 12, 5
"""So many characters, and words, are named."""


def unreadable(texts: Sequence[str], recipe: Recipe, language: str = "") -> str:
    """Why nothing can be said about these texts with this model, in a sentence; empty where the model reads them.

    `language` is that of the texts, where it is known. Pages show the sentence instead of their verdict.
    """
    return why_unreadable(texts, recipe.policy, recipe.model, language)


def unreadable_run(result: Result, language: str = "") -> str:
    """The same of a finished run, by its stored texts; nothing of confidential ones, or of a model that is gone."""
    rows = result.candidates.head(_LOOKED_AT).dropna(subset=["text"])
    texts = [f"{context or ''}{text}" for context, text in zip(rows["context"], rows["text"], strict=True)]
    kind = SCORERS.get(result.manifest["scorer"])
    with suppress(PairlensError):
        if texts and kind:
            recipe = Recipe(resources.model(result.manifest["model"]), kind, result.policy)
            return unreadable(texts, recipe, language or looks_tokenised(texts))
    return ""


def warn_of_words(texts: Sequence[str], recipe: Recipe) -> None:
    """Name the words that the model has hardly read: where the texts as a whole can be read, they spoil little."""
    if words := hardly_read(texts, recipe.policy, recipe.model):
        named = ", ".join(words[:_NAMED_WORDS])
        notices.warning(f"{recipe.model.name} has hardly read: {named}. What it makes of such words says little.")


def warn_of_characters(texts: Sequence[str], recipes: Iterable[Recipe]) -> None:
    """Name the models whose training text had none of some characters, where their cards say which ones it had."""
    for recipe in recipes:
        if strange := unread(texts, recipe.policy, recipe.model.card):
            named = f"\u2068{' '.join(strange[:_NAMED])}\u2069"  # apart from what follows, whichever way they run
            more = f" and {len(strange) - _NAMED} more" if len(strange) > _NAMED else ""
            notices.warning(
                f"{recipe.model.name} has never read {named}{more}: what it makes of words with them says little."
            )


def offer_reader(language: str, models: Iterable[Model], key: str = "model_name") -> None:
    """A button that asks a model that has read this language, where one of these has not."""
    strangers = [model for model in models if language and not _reads(model, language)]
    readers = [model.name for model in resources.catalogue() if model.kind == "causal" and _speaks(model, language)]
    if strangers and readers:
        st.button(f"Ask {readers[0]} instead", key="other_language", on_click=_choose, args=(key, readers[0]))


def _reads(model: Model, language: str) -> bool:
    return "language" not in model.card or _speaks(model, language)


def _speaks(model: Model, language: str) -> bool:
    return language in str(model.card.get("language", "")).split()


def _choose(key: str, name: str) -> None:
    st.session_state[key] = [name]
