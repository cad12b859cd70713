"""Models that are asked about a language, or in characters, of which they have read nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from core.scoring.recipe import Recipe
from core.text.unread import unread
from core.types import Model
from pages.components.shared import notices, resources

_NAMED = 12
"""So many characters are named."""


def warn_of_characters(texts: Sequence[str], recipes: Iterable[Recipe]) -> None:
    """Name the models whose training text had none of some characters, where their cards say which ones it had."""
    for recipe in recipes:
        if strange := unread(texts, recipe.policy, recipe.model.card):
            named = f"\u2068{' '.join(strange[:_NAMED])}\u2069"  # apart from what follows, whichever way they run
            more = f" and {len(strange) - _NAMED} more" if len(strange) > _NAMED else ""
            notices.warning(
                f"{recipe.model.name} has never read {named}{more}: what it makes of words with them says little."
            )


def warn_of_language(language: str, models: Iterable[Model], key: str = "model_name") -> None:
    """Name the models whose card says another language than that of the texts, and offer one that has read it.

    Nothing is said where either is silent. `key` is that of the control in which models are chosen.
    """
    strangers = [model.name for model in models if language and not _reads(model, language)]
    for name in strangers:
        notices.warning(f"{name} has read no text in the language of these items: what it prefers says little.")
    readers = [model.name for model in resources.catalogue() if model.kind == "causal" and _speaks(model, language)]
    if strangers and readers:
        st.button(f"Ask {readers[0]} instead", key="other_language", on_click=_choose, args=(key, readers[0]))


def _reads(model: Model, language: str) -> bool:
    return "language" not in model.card or _speaks(model, language)


def _speaks(model: Model, language: str) -> bool:
    return language in str(model.card.get("language", "")).split()


def _choose(key: str, name: str) -> None:
    st.session_state[key] = [name]
