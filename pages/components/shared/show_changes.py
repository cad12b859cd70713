"""Typed text is not training text: what was changed in it, with undo, and what could be changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import streamlit as st

from core.models.vocabulary import reads_whole_words
from core.policies import Policy
from core.scoring.recipe import Recipe
from core.studies.compare.typed import SentencePair
from core.text import Change, describe, looks_tokenised, prepare
from pages.components.shared import notices
from pages.components.shared.choose_policy import change_policy


def show_changes(pairs: Sequence[SentencePair], recipe: Recipe) -> None:
    """One notice beside the input for each thing worth knowing; nothing for ordinary text."""
    policy = recipe.policy
    characters = recipe.model.card.get("characters")
    texts = [text for pair in pairs for text in pair]
    if done := _changes(texts, policy, characters):
        undo = ("detokenise", "") if policy.detokenise else ("text", "as-typed")
        _offer(describe(done), "Undo", policy, *undo)
    elif policy.text == "auto" and (possible := _changes(texts, policy.but(text="typographic"), characters)):
        signs = ", ".join(dict.fromkeys(f"{change.original} as {change.replacement}" for change in possible))
        _offer(f"This model may not know these characters. They could be read so: {signs}.", "Read them so", policy,
               "text", "typographic")  # fmt: skip
    if not policy.detokenise and (language := looks_tokenised(texts)) and not reads_whole_words(recipe.model):
        joined = prepare(texts[0], policy.but(detokenise=language), characters).text
        _offer(f"This looks like text cut into tokens. Joined, it would read: {joined}", "Join it", policy,
               "detokenise", language)  # fmt: skip


def _changes(texts: Iterable[str], policy: Policy, characters: str | None) -> list[Change]:
    return [change for text in texts for change in prepare(text, policy, characters).changes]


def _offer(text: str, label: str, policy: Policy, field: str, value: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.note(text)
        st.button(label, key=f"offer_{field}", on_click=change_policy, args=(policy, field, value), type="tertiary")
