"""Next word: what does the model expect next, and how sure is it?"""

from collections.abc import Sequence

import streamlit as st

from pages.components.next_word import expectation
from pages.components.next_word.show_answer import FORMS, PREFIX, show_answer
from pages.components.shared import notices, predict_first
from pages.components.shared.frame import open_page
from pages.components.shared.link import follow_example, show_share
from pages.components.shared.models import NO_MODEL, choose_models
from pages.components.shared.policy import choose_policy, show_changes
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.studies.next_word import SETS
from pairlens.studies.next_word.pieces import Beginning, in_language
from pairlens.types import Model

POLICY_FIELDS = ("first_token", "punctuation", "unit", "text", "detokenise")
# Every page has names of its own in links: a link from one page to another loses parameters that both bind.
MODEL, POLICY = "reader", "like"


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
            show_answer(typed, recipes, opening.forms)
        else:
            ask(typed, opening.forms)
