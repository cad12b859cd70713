"""Next word: what does the model expect next, and how sure is it?"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from pages.components.next_word import expectation
from pages.components.shared import notices, predict_first
from pages.components.shared.downloads import gathered_downloads
from pages.components.shared.frame import open_page
from pages.components.shared.link import follow_example, show_share
from pages.components.shared.models import NO_MODEL, choose_models
from pages.components.shared.policy import choose_policy, show_changes
from pages.components.shared.tables import choose_detail
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.studies.next_word import SETS, wording
from pairlens.studies.next_word.pieces import Beginning, in_language
from pairlens.studies.next_word.top_words import NextTokens
from pairlens.studies.study import unread_notices
from pairlens.types import Model

T = TypeVar("T")
POLICY_FIELDS = ("first_token", "punctuation", "unit", "text", "detokenise")
# Every page has names of its own in links: a link from one page to another loses parameters that both bind.
MODEL, POLICY, PREFIX, FORMS = "reader", "like", "prefix", "forms"


def choose_recipes() -> list[Recipe]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models(MODEL, ("causal",))
        policy = choose_policy(POLICY, fields=POLICY_FIELDS, sets=SETS, sentences=False)
        st.space("stretch")
        choose_example(in_language(language_of(models)))
        show_share((PREFIX, FORMS, MODEL, POLICY, "but", "next_as", "next_by"))
    if models:
        predict_first.show_switch(models)
    return [Recipe(model, SCORERS[default_for(model.kind)], policy) for model in models]


def language_of(models: Sequence[Model]) -> str:
    return str(models[0].card.get("language", "")) if models else ""


def choose_example(examples: Sequence[Beginning]) -> None:
    follow_example("next_word_opened_with", {PREFIX: examples[0].prefix, FORMS: examples[0].forms})
    with st.popover("Gallery", icon=":material/menu_book:"):
        for example in examples:
            with st.container(gap=None, key=f"gallery_{example.title}"):
                st.button(example.title, type="tertiary", on_click=take, args=(example,))
                notices.write("$prefix … $forms", "pl-quiet", prefix=example.prefix, forms=example.forms)
                if not predict_first.predicts_first():
                    notices.text(example.note, "pl-quiet")


def take(example: Beginning) -> None:
    expectation.replace_prefix(PREFIX, example.prefix)
    st.session_state[FORMS] = example.forms


def ask(typed: str, first: str) -> None:
    """Predict first: a guess at the next word, a choice between the forms, and the button that shows the answer."""
    predict_first.guess_word(typed)
    if forms := expectation.type_forms(first, FORMS):
        predict_first.choose_form((typed, forms), forms)
    predict_first.show_reveal(typed)


def beside(recipes: Sequence[Recipe], show: Callable[[Recipe], T]) -> dict[str, T]:
    """The models side by side; what `show` returns of each, by name, but of those that cannot answer."""
    shown: dict[str, T] = {}
    places = st.columns(len(recipes), gap="large") if recipes else []
    for place, recipe in zip(places, recipes, strict=True):
        with place, notices.explained_errors():
            shown[recipe.model.name] = show(recipe)
    return shown


def answer(typed: str, recipes: Sequence[Recipe], first: str) -> None:
    """What each model expects, and how it decides between the forms; the table is that of one of them."""

    def expected(recipe: Recipe) -> tuple[str, NextTokens, bool]:
        if len(recipes) > 1:
            notices.text(recipe.model.name, "pl-label")
        prefix, places = expectation.next_places(typed, recipe)
        headline = st.container()
        place = expectation.choose_place(places, prefix, recipe.model.name)
        seen, at_the_end = expectation.next_tokens(prefix, place, recipe), place == places["position"].iloc[-1]
        with headline:
            show_findings(typed, seen, recipe, len(places), at_the_end=at_the_end)
        return prefix, seen, at_the_end

    def likeliest(recipe: Recipe) -> None:
        _, seen, at_the_end = answers[recipe.model.name]
        expectation.show_expectation(seen, PREFIX if at_the_end else "", recipe.model.name, whole=whole)

    with gathered_downloads() as charts:
        answers = beside(recipes, expected)
        answered = {recipe.model.name: recipe for recipe in recipes if recipe.model.name in answers}
        if not answered:
            return
        whole = expectation.choose_unit()
        beside([*answered.values()], likeliest)
    st.divider()
    forms = expectation.type_forms(first, FORMS)
    choices = beside([*answered.values()], lambda recipe: expectation.show_forms(typed, forms, recipe))
    st.divider()
    recipe = choose_detail(answered, "details_of_next_word")
    expectation.show_published_table(typed, recipe, charts)
    expectation.show_footer(typed, answers[recipe.model.name][0], choices.get(recipe.model.name), recipe)


def show_findings(typed: str, seen: NextTokens, recipe: Recipe, n_places: int, *, at_the_end: bool) -> None:
    about = [*unread_notices([typed], recipe)]
    for notice in about:
        (notices.instead if notice.severity == "instead" else notices.warning)(notice.message)
    if not any(notice.severity == "instead" for notice in about):
        expectation.show_headline(seen, at_the_end=at_the_end)
        if at_the_end:
            expectation.show_guess(typed, seen, recipe)
    notices.text(wording.windowed(n_places, recipe.model), "pl-quiet")


open_page("Next word", "What does the model expect next, and how sure is it?")
recipes = choose_recipes()
opening = in_language(language_of([recipe.model for recipe in recipes]))[0]
typed = expectation.type_prefix(opening.prefix, PREFIX)
if not recipes:
    notices.note(NO_MODEL)
else:
    show_changes([(typed, "")], recipes[0])
    with notices.explained_errors():
        if predict_first.is_revealed(typed):
            answer(typed, recipes, opening.forms)
        else:
            ask(typed, opening.forms)
