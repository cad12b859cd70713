"""What models expect, side by side: headline, curve, bars, the decision between forms, and a table."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from pages.components.next_word import expectation
from pages.components.shared import notices
from pages.components.shared.downloads import gathered_downloads
from pages.components.shared.tables import choose_detail
from pairlens.scoring.recipe import Recipe
from pairlens.studies.next_word import wording
from pairlens.studies.next_word.top_words import NextTokens
from pairlens.studies.study import unread_notices

T = TypeVar("T")
PREFIX, FORMS = "prefix", "forms"
_ABREAST = 3
"""More models than these stand below each other."""


def _beside(recipes: Sequence[Recipe], show: Callable[[Recipe], T]) -> dict[str, T]:
    """A few models side by side; what `show` returns of each, by name, but of those that cannot answer."""
    shown: dict[str, T] = {}
    abreast = 0 < len(recipes) <= _ABREAST
    places = st.columns(len(recipes), gap="large") if abreast else [st.container() for _ in recipes]
    for place, recipe in zip(places, recipes, strict=True):
        with place, notices.explained_errors():
            if len(recipes) > 1:
                notices.text(recipe.model.name, "pl-label")
            shown[recipe.model.name] = show(recipe)
    return shown


def show_answer(typed: str, recipes: Sequence[Recipe], first: str) -> None:
    """What each model expects, and how it decides between the forms; the table is that of one of them."""

    def expected(recipe: Recipe) -> tuple[str, NextTokens, bool]:
        prefix, places = expectation.next_places(typed, recipe)
        headline = st.container()
        place = expectation.choose_place(places, prefix, recipe.model.name)
        next_tokens, at_the_end = expectation.next_tokens(prefix, place, recipe), place == places["position"].iloc[-1]
        with headline:
            _show_findings(typed, next_tokens, recipe, len(places), at_the_end=at_the_end)
        return prefix, next_tokens, at_the_end

    def likeliest(recipe: Recipe) -> None:
        _, next_tokens, at_the_end = answers[recipe.model.name]
        expectation.show_expectation(next_tokens, PREFIX if at_the_end else "", recipe.model.name, whole=whole)

    with gathered_downloads() as charts:
        answers = _beside(recipes, expected)
        answered = {recipe.model.name: recipe for recipe in recipes if recipe.model.name in answers}
        if not answered:
            return
        whole = expectation.choose_unit()
        _beside([*answered.values()], likeliest)
    st.divider()
    forms = expectation.type_forms(first, FORMS)
    choices = _beside([*answered.values()], lambda recipe: expectation.show_forms(typed, forms, recipe))
    if forms:
        notices.text(expectation.WHOLE_WORD, "pl-quiet")
    st.divider()
    recipe = choose_detail(answered, "details_of_next_word")
    table, footer = st.container(), st.container(horizontal=True, vertical_alignment="center", gap="small")
    with table:
        expectation.show_published_table(typed, recipe, charts, footer)
    with footer:
        expectation.show_receipt_and_lesson(
            typed, answers[recipe.model.name][0], choices.get(recipe.model.name), recipe
        )


def _show_findings(typed: str, next_tokens: NextTokens, recipe: Recipe, n_places: int, *, at_the_end: bool) -> None:
    about = [*unread_notices([typed], recipe)]
    for notice in about:
        (notices.instead if notice.severity == "instead" else notices.warning)(notice.message)
    if not any(notice.severity == "instead" for notice in about):
        expectation.show_headline(next_tokens, at_the_end=at_the_end)
        if at_the_end:
            expectation.show_guess(typed, next_tokens, recipe)
    notices.text(wording.windowed(n_places, recipe.model), "pl-quiet")
