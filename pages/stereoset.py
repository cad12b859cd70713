"""Stereotypes: a stereotype, its opposite and nonsense, and which of them a model prefers."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.datasets import FILE, choose_dataset
from pages.components.shared.frame import open_page
from pages.components.shared.jobs import offer_to_run, watch_jobs
from pages.components.shared.link import show_share
from pages.components.shared.models import NO_MODEL, choose_models, say_about
from pages.components.shared.policy import choose_policy
from pages.components.stereoset.choose import (
    GIVEN,
    PROFILES,
    TEST_SET,
    Counted,
    choose_definition,
    choose_files,
    choose_test_set,
    show_content_note,
)
from pages.components.stereoset.choose import LINK as COUNTED
from pages.components.stereoset.profiles import show_profiles
from pages.components.stereoset.requests import answer_of_model, answer_of_upload, request_of
from pages.components.stereoset.show_stereoset import LINK as TRIPLES
from pages.components.stereoset.show_stereoset import show_stereoset
from pairlens.errors import InputError
from pairlens.policies import Policy
from pairlens.studies.stereoset.answers import Answer
from pairlens.tasks import TASKS
from pairlens.types import Model

TASK = TASKS["stereoset"]
KINDS = ("causal", "masked", "seq2seq", "next-sentence", "unigram", "served")
POLICY_FIELDS = ("first_token", "pll", "text")
# Compare has `model` and `as`; a link from here to there loses parameters that this page binds too.
MODEL, POLICY = "model_name", "preset"
LINK = (TEST_SET, MODEL, POLICY, "but", "data", "path", FILE, GIVEN, *TRIPLES, *COUNTED)
EXPECTED = "StereoSet's JSON, or its successor's tables as CSV, TSV or JSON lines; one or several files; also as .gz"
NOTE = "StereoSet repeats hurtful stereotypes, to examine models. Those of our sample are harmless."


def choose_setup() -> tuple[list[Model], Policy, Counted]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        models = choose_models(MODEL, KINDS)
        policy = choose_policy(POLICY, fields=POLICY_FIELDS, sets=TASK.sets, sentences=False)
        policy = policy.but(name=policy.name.partition(",")[0])
        counted = choose_definition(policy)
    say_about(models)
    return models, policy, counted


def answers_of_models(models: Sequence[Model], policy: Policy, counted: Counted, data: Path) -> list[Answer]:
    """The answers of the models that have been asked; for the others, what a run would take."""
    store, answers, waiting = resources.store(), [], []
    for model in models:
        with notices.explained_errors():
            request = request_of(data, model, policy, counted.choices)
            remarks = (
                text for part in request.parts for text in (part.note(counted.definition.case), part.planned.faults)
            )
            for remark in (*request.reasons, *filter(None, remarks)):
                notices.note(remark)
            if request.is_answered(store):
                answers.append(answer_of_model(request, counted))
            else:
                waiting.append(request)
    offer_to_run(waiting, store)
    return answers


def with_files(answers: Sequence[Answer], files: Sequence[Path], counted: Counted, data: Path) -> list[Answer]:
    """These answers and those in files, each under a name of its own."""
    by_name = {answer.name: answer for answer in answers}
    for file in files:
        with notices.explained_errors():
            answer = answer_of_upload(data, file, counted.ties)
            if answer.name in by_name:
                raise InputError("a model or another file has this name: rename the file", file.name)
            by_name[answer.name] = answer
    return [*by_name.values()]


def show_triples() -> None:
    """StereoSet, or triples of one's own: what models and files prefer."""
    show_content_note(NOTE)
    models, policy, counted = choose_setup()
    data, files = choose_dataset(TASK, expected=EXPECTED), choose_files()
    watch_jobs("stereoset")
    if not data:
        return
    if not (models or files):
        notices.note(f"{NO_MODEL} Predictions from a file need none.")
    with notices.explained_errors():
        if answers := with_files(answers_of_models(models, policy, counted, data), files, counted, data):
            show_stereoset(answers, counted.kind, models)


open_page("Stereotypes", "Does the model prefer the stereotype, its opposite, or neither?")
with notices.explained_errors():
    with st.container(horizontal=True, vertical_alignment="bottom"):
        test_set = choose_test_set()
        if test_set != PROFILES:
            st.space("stretch")
            show_share(LINK)
    if test_set == PROFILES:
        show_profiles()
    else:
        show_triples()
