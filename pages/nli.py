"""Entailment: what follows from a sentence, whatever labels the data and the model have."""

from collections.abc import Sequence

import streamlit as st

from pages.components.nli.choose_answers import GIVEN as ANSWERS
from pages.components.nli.choose_answers import REVERSED, choose_files, choose_models_to_ask
from pages.components.nli.choose_data import GIVEN, KEY, PATH, PUBLIC, SAMPLE, choose_data, choose_source
from pages.components.nli.results import Answering, DataSet, Missing, NliResult, judge, run_nli
from pages.components.nli.rules import (
    DATA,
    HYPOTHESIS,
    MODE,
    MODEL,
    PREMISE,
    choose_mode,
    follow_language,
    show_rules,
    type_pair,
)
from pages.components.nli.show_results import CHOSEN, TRAINED, show_results
from pages.components.nli.words import KEY as LANGUAGE
from pages.components.nli.words import Words, choose_words, words_of_visitor
from pages.components.shared import notices
from pages.components.shared.downloads import gathered_downloads
from pages.components.shared.frame import open_page
from pages.components.shared.jobs import watch_jobs
from pages.components.shared.link import show_share
from pages.components.shared.show_result import show_evidence
from pairlens.results.result import Result

LINK = (
    LANGUAGE, MODE, DATA, MODEL, PREMISE, HYPOTHESIS, KEY, PUBLIC, PATH, "nli_model", "prompt", "calibrated", TRAINED,
    CHOSEN, *(f"{name}_files" for name in (GIVEN, ANSWERS, REVERSED)),
)  # fmt: skip


def show_judged(say: Words, data: Sequence[DataSet], answering: Sequence[Answering], mode: str) -> Result | None:
    """What is known, and a run for what is not yet; returns the evaluation that is looked at."""
    evaluations = [judge(say, one, by, mode) for one in data for by in answering if by.about in (None, one)]
    models = [by.asked.recipe.model for by in answering if by.asked]
    known = [evaluation for evaluation in evaluations if isinstance(evaluation, NliResult)]
    result = show_results(say, known, models)
    run_nli(say, [evaluation for evaluation in evaluations if isinstance(evaluation, Missing)])
    return result


say = words_of_visitor()
open_page(say("Entailment"), say("What follows from a sentence, whatever labels the data and the model have?"), say)
with st.container(horizontal=True, vertical_alignment="bottom"):
    source = choose_source(say)
    mode = choose_mode(say)
    st.space("stretch")
    choose_words(follow_language)
    show_share(LINK, translate=say)
whose = st.container(horizontal=True, vertical_alignment="bottom")
models = choose_models_to_ask(say, whose)
data = choose_data(say, source)
with whose if source == SAMPLE or models else st.container():
    files = choose_files(say, data, models, ours=source == SAMPLE)
watch_jobs("nli", translate=say)
result = None
with gathered_downloads() as grid, notices.explained_errors(say):
    result = show_judged(say, data, [*files, *models], mode) if data and (files or models) else None
if result:
    show_evidence(result, say=say, gathered=grid)
elif not data or not (files or models):
    notices.note(
        say("Give a file of answers, or choose a model above.") if data else say("Give pairs with gold labels.")
    )
notices.text(say("One pair, in both directions"), "pl-second")
type_pair(say, next((model.asked for model in models if model.asked), None))
notices.text(say("Labels of the data (origem) × labels of the model (destino)"), "pl-second")
show_rules(say, mode)
