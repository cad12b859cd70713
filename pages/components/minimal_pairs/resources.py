"""What an experiment keeps between reruns: words, findings, receipts, and these under other choices of analysis."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.experiment import Analysis, Columns
from core.analysis.interaction import Interaction
from core.files.exports import written
from core.files.tables import Layout
from core.runs.receipts.in_windows import InWindows
from core.scoring.recipe import Recipe
from core.store import uploads
from core.studies.experiment import crossing, wording
from core.studies.experiment.evaluate import evaluate, missing, texts_in_windows
from core.studies.experiment.findings import Findings, find
from core.studies.experiment.policies import UnderAllChoices, crossed_under_all_choices
from core.studies.experiment.policies import under_all_choices as analysed
from core.studies.experiment.predictions import prediction_table
from core.studies.experiment.receipt import methods, receipt
from core.studies.experiment.words import words_of_scores
from pages.components.minimal_pairs.question import Question
from pages.components.shared import resources
from pages.components.shared.experiment import Experiment


def characters(experiment: Experiment) -> str:
    """Every character of an experiment's sentences, once."""
    resources.design(experiment)  # a button may be drawn, which no cache of Streamlit allows
    return _characters(experiment, resources.states_of(experiment.source))


@st.cache_data(max_entries=6, show_spinner=False, hash_funcs={Experiment: repr})
def _characters(experiment: Experiment, states: tuple[object, ...]) -> str:  # noqa: ARG001
    return "".join(set().union(*resources.design(experiment).sentences["sentence"]))


def columns_in_words(experiment: Experiment) -> str:
    """The roles of the table's columns in one line, and why the others have none."""
    return _columns_in_words(experiment, resources.states_of(experiment.source))


@st.cache_data(max_entries=6, show_spinner=False, hash_funcs={Experiment: repr})
def _columns_in_words(experiment: Experiment, states: tuple[object, ...]) -> str:  # noqa: ARG001
    return wording.columns(experiment.columns, resources.experiment_table(experiment.source)[0])


@st.cache_resource
def _refused() -> dict[tuple[str, str], dict[str, str]]:
    """By experiment and fingerprint of those that are scored as far as possible: why a sentence is not, by sentid."""
    return {}


def unscored(experiment: Experiment, recipe: Recipe) -> int:
    """How many sentences are still to be scored."""
    asked = repr(experiment), recipe.fingerprint
    if asked not in _refused():
        if n := missing(resources.design(experiment), recipe, resources.store()):
            return n
        _refused()[asked] = {}
    return 0


def score(experiment: Experiment, recipe: Recipe) -> None:
    """Score what is missing, here and now; PairlensError in words."""
    reasons: dict[str, str] = {}
    with st.spinner(f"Scoring with {recipe.model.name} …", show_time=True):
        opened = partial(resources.scorer, recipe)
        for _ in evaluate(resources.design(experiment), recipe, resources.store(), scorer=opened, refused=reasons):
            continue
    _refused()[repr(experiment), recipe.fingerprint] = reasons


def refused(experiment: Experiment, recipe: Recipe) -> dict[str, str]:
    """Why sentences could not be scored, by sentid."""
    return _refused().get((repr(experiment), recipe.fingerprint), {})


_BY_WORDS: dict[str | type, Callable[[Any], object]] = {Experiment: repr, **resources.BY_IDENTITY}


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_WORDS)
def _experiment_words(experiment: Experiment, recipe: Recipe, analysis: Analysis) -> pd.DataFrame:
    return words_of_scores(resources.design(experiment), recipe, resources.store(), analysis)


def experiment_words(question: Question) -> pd.DataFrame:
    """The words of every sentence under every model; only what changes words computes them again."""
    kept = ("word_summary", "word_probability", "punctuation", "fold")
    of_words = Analysis(**{name: getattr(question.analysis, name) for name in kept})
    return pd.concat(
        [_experiment_words(question.experiment, recipe, of_words) for recipe in question.recipes], ignore_index=True
    )


@st.cache_resource(max_entries=6, show_spinner="Computing …", hash_funcs={Question: lambda asked: asked.identity})
def findings(question: Question) -> Findings:
    """What follows from the scores; nothing is scored again. PairlensError in words."""
    marked = question.region.mark(resources.design(question.experiment))
    return find(marked, experiment_words(question), question.analysis)


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs={Question: lambda asked: asked.identity})
def crossed(question: Question, factors: tuple[str, ...]) -> Interaction:
    """The interaction of two or three factors; InputError in words."""
    return crossing.crossed(findings(question), factors)


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs={Question: lambda asked: asked.identity})
def everywhere(question: Question, factors: tuple[str, ...]) -> Interaction | None:
    """The same region by region."""
    return crossing.everywhere(findings(question), factors)


@st.cache_resource(max_entries=4, show_spinner="Computing …", hash_funcs={Question: lambda asked: asked.identity})
def tokens(question: Question) -> pd.DataFrame:
    """The per-token table of every model (`core.studies.experiment.predictions`)."""
    asked, store = resources.design(question.experiment), resources.store()
    return pd.concat([prediction_table(asked, recipe, store) for recipe in question.recipes], ignore_index=True)


@st.cache_resource(max_entries=12, hash_funcs={Question: lambda asked: asked.identity, **resources.BY_IDENTITY})
def in_windows(question: Question, recipe: Recipe) -> InWindows | None:
    """The sentences that are longer than the model sees at once, if that is known."""
    return texts_in_windows(resources.design(question.experiment), recipe, resources.store())


@st.cache_resource(max_entries=12, hash_funcs={Question: lambda asked: asked.identity})
def receipt_of(question: Question) -> tuple[dict[str, Any], str]:
    """How an experiment's numbers were made, of all its models, and the sentences for a Methods section."""
    found, recipes = findings(question), question.recipes
    long = [in_windows(question, recipe) for recipe in recipes]
    return receipt(found, recipes, question.experiment.source.name, long), methods(found, recipes, long)


def file_of(experiment: Experiment) -> tuple[Path, Columns]:
    """A file with the sentences of an experiment, for a job: the visitor's own, if a command reads it as it was read
    here, else one with nothing but these sentences.
    """
    source = experiment.source
    if isinstance(source.data, Path) and source.layout == Layout():
        return source.data, experiment.columns
    sentences = resources.design(experiment).sentences[["sentid", "sentence"]]
    return uploads.keep([("sentences.tsv", written(sentences, ".tsv"))]), Columns(pairid="", comparison="", roi="")


_OF_QUESTIONS: dict[str | type, Callable[[Any], object]] = {
    Question: lambda asked: asked.identity,
    Recipe: lambda one: (one.fingerprint, repr(one.policy)),
}


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_OF_QUESTIONS)
def under_all_choices(question: Question, recipe: Recipe) -> UnderAllChoices:
    """An experiment under every choice of analysis; InputError in words."""
    design = question.region.mark(resources.design(question.experiment))
    return analysed(design, recipe, resources.store(), question.analysis)


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_OF_QUESTIONS)
def interaction_under_all_choices(question: Question, recipe: Recipe, factors: tuple[str, ...]) -> pd.DataFrame:
    """An interaction under every choice of analysis; InputError in words."""
    design = question.region.mark(resources.design(question.experiment))
    return crossed_under_all_choices(design, recipe, resources.store(), question.analysis, factors)
