"""Compare sentences: which one does the model prefer, and where does it decide?"""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.components.compare import resources
from pages.components.compare.resources import answer_wanted, may_be_scored
from pages.components.compare.show_inside import KEYS as INSIDE
from pages.components.compare.show_pair import show_pair
from pages.components.compare.type_sentences import choose_example, type_sentences
from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.link import show_share
from pages.components.shared.models import NO_MODEL, choose_models
from pages.components.shared.policy import FIELDS, choose_policy, show_changes
from pages.components.shared.predict_first import ask_for_better, is_revealed, show_switch
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.studies.compare.pair import Comparison
from pairlens.studies.compare.typed import Fields
from pairlens.studies.compare.wording import SAME
from pairlens.studies.study import controls

POLICY_FIELDS = tuple(field for field in FIELDS if field != "ties")
SHARED = (*controls(Fields), "model", "as", "but", "reveal", "in_full", "pair", "from", "place", "tab", *INSIDE)


def choose_recipes() -> list[Recipe]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models()
        policy = choose_policy(fields=POLICY_FIELDS)
        st.space("stretch")
        choose_example(models[0] if models else None)
        show_share(SHARED)
    show_switch(models)
    return [Recipe(model, SCORERS[default_for(model.kind)], policy) for model in models]


def answer(question: Fields, recipes: Sequence[Recipe]) -> list[list[Comparison]]:
    with notices.explained_errors():
        stop = partial(answer_wanted, False, question.pairs, recipes)
        return [resources.answer(question, recipe, stop) for recipe in recipes]
    return []


open_page("Compare sentences", "Which sentence does the model prefer, and where does it decide?")
recipes = choose_recipes()
question = type_sentences(recipes[0].model if recipes else None)
pairs = question.pairs if question else []
if not recipes:
    notices.note(NO_MODEL)
elif pairs and all(a == b for a, b in pairs):
    notices.instead(SAME)
elif question:
    show_changes(pairs, recipes[0])
    if may_be_scored(pairs, recipes):
        if answers := answer(question, recipes):
            if is_revealed(tuple(pairs)):
                show_pair(answers, pairs)
            else:
                ask_for_better(pairs, tuple(pairs))
        resources.warm_up(recipes[0])
