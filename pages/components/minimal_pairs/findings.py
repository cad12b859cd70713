"""What a visitor asks of an experiment, its scores, and what follows from them, kept between reruns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.experiment import Analysis, Columns
from core.analysis.interaction import contrast
from core.errors import InputError
from core.files.exports import written
from core.files.tables import Layout
from core.results.result import Result
from core.runs import command
from core.runs.estimate import duration_in_words, estimate
from core.scoring.recipe import Recipe
from core.settings import settings
from core.store import jobs, uploads
from core.studies.experiment import wording
from core.studies.experiment.design import Design
from core.studies.experiment.evaluate import evaluate, missing
from core.studies.experiment.findings import Findings, crossed, everywhere, find
from core.studies.experiment.region import Region
from core.studies.experiment.result import Answer, result
from core.studies.experiment.words import words_of_scores
from pages.components.shared import notices, resources
from pages.components.shared.experiment import Experiment
from pages.components.shared.frame import own_place
from pages.components.shared.jobs import show_command, watch_jobs


@dataclass(frozen=True)
class Question:
    """An experiment, its region, the models that were asked and how their scores are looked at."""

    experiment: Experiment
    region: Region
    recipes: tuple[Recipe, ...]
    analysis: Analysis

    @property
    def design(self) -> Design:
        return resources.design(self.experiment).marked(self.region)

    @property
    def identity(self) -> tuple[object, ...]:
        models = [(recipe.model.name, recipe.fingerprint, repr(recipe.policy)) for recipe in self.recipes]
        return repr(self.experiment), repr(self.region), models, repr(self.analysis)


@dataclass(frozen=True)
class Choices:
    """What is looked at: the factors of an interaction, conditions of which each value has a chart, a contrast."""

    factors: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    contrast: str = ""


_BY_QUESTION: dict[str | type, Callable[[Any], object]] = {Question: lambda asked: asked.identity, Choices: repr}


@resources.remembered(False, 6)
def columns_in_words(experiment: Experiment) -> str:
    """The roles of the table's columns in one line, and why the others have none."""
    return wording.columns(experiment.columns, resources.experiment_table(experiment.source)[0])


@st.cache_resource(show_spinner=False)
def _refused() -> dict[tuple[str, str], dict[str, str]]:
    """By experiment and fingerprint of those that are scored as far as possible: why a sentence is not, by sentid."""
    return {}


def _unscored(experiment: Experiment, recipe: Recipe) -> int:
    asked = repr(experiment), recipe.fingerprint
    if asked not in _refused():
        if n := missing(resources.design(experiment), recipe, resources.store()):
            return n
        _refused()[asked] = {}
    return 0


def _score(experiment: Experiment, recipe: Recipe) -> None:
    reasons: dict[str, str] = {}
    with st.spinner(f"Scoring with {recipe.model.name} …", show_time=True):
        opened = partial(resources.scorer, recipe)
        for _ in evaluate(resources.design(experiment), recipe, resources.store(), scorer=opened, refused=reasons):
            continue
    _refused()[repr(experiment), recipe.fingerprint] = reasons


def refusals(experiment: Experiment, recipe: Recipe) -> dict[str, str]:
    return _refused().get((repr(experiment), recipe.fingerprint), {})


@resources.remembered()
def _words_of_model(experiment: Experiment, recipe: Recipe, analysis: Analysis) -> pd.DataFrame:
    return words_of_scores(resources.design(experiment), recipe, resources.store(), analysis)


def _words_of(question: Question) -> pd.DataFrame:
    """The words of every sentence under every model; only what changes words computes them again."""
    changing = ("word_summary", "word_probability", "punctuation", "fold")
    of_words = Analysis(**{name: getattr(question.analysis, name) for name in changing})
    parts = [_words_of_model(question.experiment, recipe, of_words) for recipe in question.recipes]
    return pd.concat(parts, ignore_index=True)


@resources.remembered(most=6, by=_BY_QUESTION)
def findings_of(question: Question) -> Findings:
    """What follows from the scores; nothing is scored again. PairlensError in words."""
    return find(question.design, _words_of(question), question.analysis)


@resources.remembered(most=6, by=_BY_QUESTION)
def result_of(question: Question, choices: Choices, shown: str = "") -> Result:
    """Everything that follows from the scores, with charts of the model that is `shown`; InputError in words."""
    findings, source = findings_of(question), question.experiment.source
    answer = Answer(
        findings, question.recipes, resources.store(), source.name, source.language,
        facets=choices.facets, first=shown,
        refused={recipe.model.name: refusals(question.experiment, recipe) for recipe in question.recipes},
    )  # fmt: skip
    try:
        if choices.factors:
            answer = replace(answer, interaction=crossed(findings, choices.factors))
            answer = replace(answer, everywhere=everywhere(findings, choices.factors))
        if choices.contrast:
            sentences, roles = findings.design.sentences, findings.design.columns
            of_cells = contrast(choices.contrast, findings.regions, sentences, roles, question.analysis)
            answer = replace(answer, contrast=of_cells)
    except InputError as wrong:
        answer = replace(answer, unasked=str(wrong))
    return result(answer)


def _file_of(experiment: Experiment) -> tuple[Path, Columns]:
    """The visitor's own file, if a command reads it as it was read here, else one with nothing but its sentences."""
    source = experiment.source
    if isinstance(source.data, Path) and source.layout == Layout():
        return source.data, experiment.columns
    sentences = resources.design(experiment).sentences[["sentid", "sentence"]]
    return uploads.keep([("sentences.tsv", written(sentences, ".tsv"))]), Columns(pairid="", comparison="", roi="")


def score_sentences(experiment: Experiment, recipes: Sequence[Recipe]) -> list[Recipe]:
    """The recipes under which every sentence that can be scored is; for the others, what that would take."""
    ready, waiting = [], []
    for recipe in recipes:
        with notices.explained_errors():
            missing = _unscored(experiment, recipe)
            if missing > settings().interactive_texts and not _is_settled(experiment, recipe, missing):
                waiting.append((recipe, missing))
                continue
            with own_place():
                if missing:
                    _score(experiment, recipe)
            ready.append(recipe)
    if waiting:
        watch_jobs("minimal-pair")
        _offer(experiment, waiting)
    return ready


def _is_settled(experiment: Experiment, recipe: Recipe, missing: int) -> bool:
    """Whether a job has scored all but these, which it found that it cannot score: they are told apart in no time."""
    job = jobs.latest(_arguments(experiment, recipe))
    return job is not None and job.state == "done" and len((job.result or {}).get("refused", ())) >= missing


def _offer(experiment: Experiment, waiting: Sequence[tuple[Recipe, int]]) -> None:
    idle = []
    for recipe, n in waiting:
        job = jobs.latest(arguments := _arguments(experiment, recipe))
        if job is None or job.ended:
            idle.append((recipe, n, arguments))
        if job is not None and job.state in ("failed", "lost"):
            notices.error(job.error)
    if not idle:
        return
    seconds = sum(estimate(n, recipe, resources.store()).seconds for recipe, n, _ in idle)
    notices.write(
        "<strong>$n</strong> to be scored, about $time here. Analysing them in other ways later needs no scoring.",
        n=notices.counted(max(n for _, n, _ in idle), "sentence"), time=duration_in_words(seconds),
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Run", type="primary", icon=":material/play_arrow:"):
            for recipe, _, arguments in idle:
                jobs.start(arguments, f"{experiment.source.name} · {recipe.model.name}")
            st.rerun()
        show_command(arguments for _, _, arguments in idle)


def _arguments(experiment: Experiment, recipe: Recipe) -> list[str]:
    return command.minimal_pair(*_file_of(experiment), recipe)
