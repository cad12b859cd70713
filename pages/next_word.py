"""Next word: what does the model expect next, and how sure is it?"""

from collections.abc import Sequence

import streamlit as st

from pages.components.next_word import expectation
from pages.components.shared import notices, predict_first
from pages.components.shared.downloads import gathered_downloads
from pages.components.shared.frame import open_page
from pages.components.shared.link import follow_example, show_share
from pages.components.shared.models import NO_MODEL, choose_model
from pages.components.shared.policy import choose_policy, show_changes
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.studies.next_word import SETS, wording
from pairlens.studies.next_word.pieces import Beginning, in_language
from pairlens.studies.study import unread_notices

POLICY_FIELDS = ("first_token", "punctuation", "unit", "text", "detokenise")
# Every page has names of its own in links: a link from one page to another loses parameters that both bind.
MODEL, POLICY, PREFIX, FORMS = "reader", "like", "prefix", "forms"


def choose_recipe() -> Recipe | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = choose_model(MODEL, ("causal",))
        policy = choose_policy(POLICY, fields=POLICY_FIELDS, sets=SETS, sentences=False)
        st.space("stretch")
        choose_example(in_language(str(model.card.get("language", "")) if model else ""))
        show_share((PREFIX, FORMS, MODEL, POLICY, "but", "next_by"))
    if model is None:
        return None
    predict_first.show_switch([model])
    return Recipe(model, SCORERS[default_for(model.kind)], policy)


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


def answer(typed: str, recipe: Recipe, first: str) -> None:
    prefix, places = expectation.next_places(typed, recipe)
    headline = st.container()
    with gathered_downloads() as charts:
        place = expectation.choose_place(places, prefix)
    next_tokens = expectation.next_tokens(prefix, place, recipe)
    at_the_end = place == places["position"].iloc[-1]
    with headline:
        about = [*unread_notices([typed], recipe)]
        for notice in about:
            (notices.instead if notice.severity == "instead" else notices.warning)(notice.message)
        if not any(notice.severity == "instead" for notice in about):
            expectation.show_headline(next_tokens, at_the_end)
            if at_the_end:
                expectation.show_guess(typed, next_tokens, recipe)
        notices.text(wording.windowed(len(places), recipe.model), "pl-quiet")
    with gathered_downloads() as bars:
        expectation.show_expectation(next_tokens, PREFIX if at_the_end else "")
    st.divider()
    choice = expectation.show_forms(typed, expectation.type_forms(first, FORMS), recipe)
    st.divider()
    expectation.show_published_table(typed, recipe, [*charts, *bars])
    expectation.show_footer(typed, prefix, choice, recipe)


open_page("Next word", "What does the model expect next, and how sure is it?")
recipe = choose_recipe()
opening = in_language(str(recipe.model.card.get("language", "")) if recipe else "")[0]
typed = expectation.type_prefix(opening.prefix, PREFIX)
if recipe is None:
    notices.note(NO_MODEL)
else:
    show_changes([(typed, "")], recipe)
    with notices.explained_errors():
        if predict_first.is_revealed(typed):
            answer(typed, recipe, opening.forms)
        else:
            ask(typed, opening.forms)
