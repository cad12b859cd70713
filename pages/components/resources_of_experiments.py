"""What an experiment keeps between reruns: its table, its design, words, findings and receipts."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core import uploads
from core.analysis.experiment import Analysis, Columns
from core.analysis.interaction import Interaction, interaction
from core.experiment.design import Design
from core.experiment.evaluate import evaluate, missing, texts_in_windows
from core.experiment.findings import Findings, find
from core.experiment.predictions import prediction_table
from core.experiment.receipt import methods, receipt
from core.experiment.words import words_of_scores
from core.exports import written
from core.generator import Template, generate
from core.receipts.in_windows import InWindows
from core.recipe import Recipe
from pages.components import resources
from pages.components.experiment import Experiment, Question, Source


def experiment_table(source: Source) -> tuple[pd.DataFrame, Columns]:
    """The table of an experiment and what its columns probably are; InputError in words."""
    return _experiment_table(source, _states_of(source))


@st.cache_resource(max_entries=6, show_spinner="Reading …", hash_funcs={Source: repr})
def _experiment_table(source: Source, states: tuple[object, ...]) -> tuple[pd.DataFrame, Columns]:  # noqa: ARG001
    return source.read()


def design(experiment: Experiment) -> Design:
    """An experiment as sentences and pairs; InputError in words."""
    return _design(experiment, _states_of(experiment.source))


@st.cache_resource(max_entries=6, show_spinner="Reading …", hash_funcs={Experiment: repr})
def _design(experiment: Experiment, states: tuple[object, ...]) -> Design:  # noqa: ARG001
    return experiment.read()


def characters(experiment: Experiment) -> str:
    """Every character of an experiment's sentences, once."""
    return _characters(experiment, _states_of(experiment.source))


@st.cache_data(max_entries=6, show_spinner=False, hash_funcs={Experiment: repr})
def _characters(experiment: Experiment, states: tuple[object, ...]) -> str:  # noqa: ARG001
    return "".join(set().union(*design(experiment).sentences["sentence"]))


def _states_of(source: Source) -> tuple[object, ...]:
    return resources.states(source.data) if isinstance(source.data, Path) else ()


@st.cache_resource(max_entries=16, show_spinner="Making items …", hash_funcs={Template: repr})
def generated(template: Template, number: int, seed: int) -> pd.DataFrame:
    """Items made from a template; InputError in words."""
    return generate(template, number, seed)


@st.cache_resource
def _refused() -> dict[tuple[str, str], dict[str, str]]:
    """By experiment and fingerprint of those that are scored as far as possible: why a sentence is not, by sentid."""
    return {}


def unscored(experiment: Experiment, recipe: Recipe) -> int:
    """How many sentences are still to be scored."""
    asked = repr(experiment), recipe.fingerprint
    if asked not in _refused():
        if n := missing(design(experiment), recipe, resources.store()):
            return n
        _refused()[asked] = {}
    return 0


def score(experiment: Experiment, recipe: Recipe) -> None:
    """Score what is missing, here and now; PairlensError in words."""
    reasons: dict[str, str] = {}
    with st.spinner(f"Scoring with {recipe.model.name} …", show_time=True):
        opened = partial(resources.scorer, recipe)
        for _ in evaluate(design(experiment), recipe, resources.store(), scorer=opened, refused=reasons):
            continue
    _refused()[repr(experiment), recipe.fingerprint] = reasons


def refused(experiment: Experiment, recipe: Recipe) -> dict[str, str]:
    """Why sentences could not be scored, by sentid."""
    return _refused().get((repr(experiment), recipe.fingerprint), {})


_BY_WORDS = {Experiment: repr, **resources.BY_IDENTITY}


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_WORDS)
def _experiment_words(experiment: Experiment, recipe: Recipe, analysis: Analysis) -> pd.DataFrame:
    return words_of_scores(design(experiment), recipe, resources.store(), analysis)


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
    marked = question.region.mark(design(question.experiment))
    return find(marked, experiment_words(question), question.analysis)


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs={Question: lambda asked: asked.identity})
def crossed(question: Question, factors: tuple[str, str]) -> Interaction:
    """The interaction of two conditions; InputError in words."""
    found = findings(question)
    return interaction(found.regions, found.design.sentences, found.design.columns, question.analysis, factors)


@st.cache_resource(max_entries=4, show_spinner="Computing …", hash_funcs={Question: lambda asked: asked.identity})
def tokens(question: Question) -> pd.DataFrame:
    """The per-token table of every model (`core.experiment.predictions`)."""
    asked, store = design(question.experiment), resources.store()
    return pd.concat([prediction_table(asked, recipe, store) for recipe in question.recipes], ignore_index=True)


@st.cache_resource(max_entries=12, hash_funcs={Question: lambda asked: asked.identity, **resources.BY_IDENTITY})
def in_windows(question: Question, recipe: Recipe) -> InWindows | None:
    """The sentences that are longer than the model sees at once, if that is known."""
    return texts_in_windows(design(question.experiment), recipe, resources.store())


@st.cache_resource(max_entries=12, hash_funcs={Question: lambda asked: asked.identity, **resources.BY_IDENTITY})
def receipt_of(question: Question, recipe: Recipe) -> tuple[dict[str, Any], str]:
    """How one model's numbers of an experiment were made, and the sentences for a Methods section."""
    found, long = findings(question), in_windows(question, recipe)
    return receipt(found, recipe, question.experiment.source.name, long), methods(found, recipe, long)


def file_of(experiment: Experiment) -> tuple[Path, Columns]:
    """A file with the sentences of an experiment, for a job: the visitor's own, if a command reads it as it was read
    here, else one with nothing but these sentences.
    """
    source = experiment.source
    if isinstance(source.data, Path) and not source.delimiter and not source.encoding:
        return source.data, experiment.columns
    sentences = design(experiment).sentences[["sentid", "sentence"]]
    return uploads.keep([("sentences.tsv", written(sentences, ".tsv"))]), Columns(pairid="", comparison="", roi="")
