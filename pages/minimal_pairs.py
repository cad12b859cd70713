"""Your experiment: sentences of one's own, by word, by pair, by condition."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.minimal_pairs.choose import IN_LINK, choose_analysis, choose_columns, with_readable_contrast
from pages.components.minimal_pairs.choose_region import choose_kind, choose_region
from pages.components.minimal_pairs.show_experiment import (
    Question,
    ask_for_pairs,
    question_of,
    score_sentences,
    show_design,
    show_experiment,
)
from pages.components.shared import notices, resources, sentences
from pages.components.shared.experiment import Experiment
from pages.components.shared.frame import open_page
from pages.components.shared.link import show_share
from pages.components.shared.models import NO_MODEL, choose_models
from pages.components.shared.policy import choose_policy
from pages.components.shared.predict_first import is_revealed, show_switch
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe

POLICY_FIELDS = ("first_token", "pll", "words_by", "word_value", "text", "detokenise")
# Compare has `model` and `as`; a link from here to there loses parameters that this page binds too.
MODEL, POLICY = "model_name", "preset"
LINK = (*sentences.LINK, MODEL, POLICY, "but", *IN_LINK, "contrast")
HERE, EVERYWHERE = "on this machine, which keeps the uploaded file", "on any machine that runs Pairlens"


def choose_recipes() -> tuple[list[Recipe], DeltaGenerator]:
    """The setup bar: models and policy; and the place in it for the link, which is known when all is chosen."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models(MODEL)
        policy = choose_policy(POLICY, fields=POLICY_FIELDS, sentences=False)
        st.space("stretch")
        place = st.container(width="content")
    show_switch(models)
    return [Recipe(model, SCORERS[default_for(model.kind)], policy) for model in models], place


def choose_experiment() -> Experiment | None:
    row = st.container(horizontal=True, vertical_alignment="bottom")
    source = sentences.choose_source(row)
    if source is None:
        return None
    with notices.explained_errors():
        table, guessed = resources.experiment_table(source)
        return Experiment(source, choose_columns(table, guessed, source, row))
    return None


def show(experiment: Experiment, recipes: list[Recipe]) -> None:
    design, name = resources.design(experiment), repr(experiment.source)
    if not is_revealed(question_of(design)):
        ask_for_pairs(design)
        return
    about, row = st.container(gap="xsmall"), st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        kind, check = choose_kind(design, name), st.container(width="content")
        analysis, choices = choose_analysis(design, name, several=len(recipes) > 1)
    with about:
        show_design(design, experiment, analysis.measure)
    choices = with_readable_contrast(choices, design)
    region = choose_region(design, kind, analysis.punctuation, name, check)
    if ready := score_sentences(experiment, recipes):
        question = Question(experiment, region, tuple(ready), analysis)
        show_experiment(question, choices, LINK)


open_page(
    "Your experiment", "Where in the sentence, and under which condition, does the model notice the difference?"
)
recipes, place = choose_recipes()
experiment = choose_experiment()
if experiment and recipes:
    with notices.explained_errors():
        show(experiment, recipes)
elif not recipes:
    notices.note(NO_MODEL)
with place:
    show_share(LINK, HERE if "upload" in st.query_params else EVERYWHERE)
