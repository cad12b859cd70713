"""Compare sentences: which one does the model prefer, and where does it decide?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.scorers import SCORERS, default_for
from core.scoring.recipe import Recipe
from core.studies import gallery
from core.studies.compare import Comparison
from core.studies.compare.typed import SentencePair
from core.studies.compare.wording import SAME
from pages.components.compare import resources
from pages.components.compare.ask_inside import KEYS as INSIDE
from pages.components.compare.choose_example import choose_example
from pages.components.compare.expect_waiting import answer_wanted, may_be_scored
from pages.components.compare.invite import invite
from pages.components.compare.show_answer import show_answers
from pages.components.compare.show_comparison import show_comparison
from pages.components.compare.show_details import show_details
from pages.components.compare.show_footer import show_footer
from pages.components.compare.type_sentences import type_sentences
from pages.components.shared import notices
from pages.components.shared.downloads import gathered_downloads
from pages.components.shared.frame import open_page
from pages.components.shared.link import show_share
from pages.components.shared.models import NO_MODEL, choose_models, choose_shown
from pages.components.shared.policy import FIELDS, choose_policy, show_changes
from pages.components.shared.predict_first import ask_for_better, is_revealed, show_switch

POLICY_FIELDS = tuple(field for field in FIELDS if field != "ties")
SHARED = ("a", "b", "model", "as", "but", "reveal", "in_full", "pair", "from", "place", "tab", *INSIDE)


def choose_recipes() -> list[Recipe]:
    """The setup bar: models, policy, gallery, share."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models()
        policy = choose_policy(fields=POLICY_FIELDS)
        st.space("stretch")
        choose_example(models[0] if models else None)
        show_share(SHARED)
    show_switch(models)
    return [Recipe(model, SCORERS[default_for(model.kind)], policy) for model in models]


def answer(pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> list[list[Comparison]]:
    """One list of comparisons per recipe; empty, with the reason, if they cannot be scored."""
    with notices.explained_errors():
        stop = partial(answer_wanted, False, pairs, recipes)
        return [resources.compared(pairs, recipe, stop) for recipe in recipes]
    return []


def show(answers: Sequence[Sequence[Comparison]], pairs: Sequence[SentencePair]) -> None:
    """Answer in words, strip, charts, tabs, footer."""
    example = gallery.find(pairs, resources.examples())
    opened = show_answers(answers, example)
    invite(answers[0][0].recipe.model)
    by_model = {comparisons[opened].recipe.model.name: comparisons[opened] for comparisons in answers}
    shown = by_model.pop(choose_shown(list(by_model)))
    with gathered_downloads() as parts:
        chart = show_comparison(shown, list(by_model.values()))
    comparisons = [shown, *by_model.values()]
    show_details(comparisons, example, pairs)
    show_footer(comparisons, pairs, chart, parts, example)


open_page("Compare sentences", "Which sentence does the model prefer, and where does it decide?")
recipes = choose_recipes()
pairs = type_sentences(recipes[0].model if recipes else None)
if not recipes:
    notices.note(NO_MODEL)
elif pairs and all(a == b for a, b in pairs):
    notices.instead(SAME)
elif pairs:
    show_changes(pairs, recipes[0])
    if may_be_scored(pairs, recipes):
        if answers := answer(pairs, recipes):
            if is_revealed(tuple(pairs)):
                show(answers, pairs)
            else:
                ask_for_better(pairs, tuple(pairs))
        resources.warm_up(recipes[0])
