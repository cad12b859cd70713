"""Compare sentences: which one does the model prefer, and where does it decide?"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.scorers import SCORERS, default_for
from core.scoring.recipe import Recipe
from core.studies import gallery
from core.studies.compare import Comparison
from core.studies.compare.typed import SentencePair
from pages.components.compare import resources
from pages.components.compare.choose_example import choose_example
from pages.components.compare.predict_first import answer_is_shown
from pages.components.compare.show_answer import show_answers
from pages.components.compare.show_comparison import show_comparison
from pages.components.compare.show_details import show_details
from pages.components.compare.show_footer import show_footer
from pages.components.compare.type_sentences import type_sentences
from pages.components.shared import notices
from pages.components.shared.choose_models import NO_MODEL, choose_models, choose_shown, say_about
from pages.components.shared.choose_policy import FIELDS, choose_policy
from pages.components.shared.frame import open_page
from pages.components.shared.share import show_share
from pages.components.shared.show_changes import show_changes
from pages.components.shared.warn_of_language import warn_of_characters

POLICY_FIELDS = tuple(field for field in FIELDS if field != "ties")


def choose_recipes() -> list[Recipe]:
    """The setup bar: models, policy, gallery, share."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models()
        policy = choose_policy(fields=POLICY_FIELDS)
        st.space("stretch")
        choose_example(models[0].name if models else "")
        show_share(("a", "b", "model", "as", "but"))
    say_about(models)
    return [Recipe(model, SCORERS[default_for(model.kind)], policy) for model in models]


def answer(pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> list[list[Comparison]]:
    """One list of comparisons per recipe; empty, with the reason, if they cannot be scored."""
    with notices.explained_errors():
        return [resources.compared(pairs, recipe) for recipe in recipes]
    return []


def show(answers: Sequence[Sequence[Comparison]], pairs: Sequence[SentencePair]) -> None:
    """Answer in words, strip, charts, tabs, footer."""
    example = gallery.find(pairs, resources.examples())
    opened = show_answers(answers, example)
    by_model = {comparisons[opened].recipe.model.name: comparisons[opened] for comparisons in answers}
    shown = by_model.pop(choose_shown(list(by_model)))
    words, chart = show_comparison(shown, list(by_model.values()))
    show_details(shown, words, example, pairs)
    show_footer(shown, pairs, words, chart, example.expected if example else "")


open_page("Compare sentences", "Which sentence does the model prefer, and where does it decide?")
recipes = choose_recipes()
pairs = type_sentences(resources.examples()[0])
if recipes and pairs:
    show_changes(pairs, recipes[0])
    warn_of_characters([text for pair in pairs for text in pair], recipes)
    if (answers := answer(pairs, recipes)) and answer_is_shown(tuple(pairs)):
        show(answers, pairs)
    resources.warm_up(recipes[0])
elif not recipes:
    notices.note(NO_MODEL)
