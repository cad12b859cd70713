"""What the page Entailment keeps between reruns: data, answers and evaluations, made again when a file changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.errors import InputError
from core.files.nli.items import Labels
from core.files.nli.label_map import LabelMap
from core.files.nli.pairs import Corpus, Pair, Predictions
from core.files.nli.readers import read_corpus
from core.messages import Message
from core.runs.requests import Plan
from core.runs.result import settle
from core.scoring.recipe import Recipe
from core.studies.nli import runs as nli_runs
from core.studies.nli.examples import examples
from core.studies.nli.matched import match
from core.studies.nli.predicted import read_predictions
from core.studies.nli.report import NliReport
from core.studies.nli.report import report as reported
from core.studies.nli.runs import Answers, NliRequest
from pages.components.nli.words import words_of_visitor
from pages.components.shared import resources


def corpus(path: Path, system: str = "", columns: Mapping[str, str] | None = None, part: str = "") -> Corpus:
    """The pairs of a file, or those of one part of it; InputError in words."""
    named = dict(columns or {})
    whole = resources.read_file(
        "corpus", path, lambda: read_corpus(path, system, named), (system, repr(named)), words_of_visitor(),
        system=system, columns=named,
    )  # fmt: skip
    return _part(whole, part) if part else whole


@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs={Corpus: id})
def _part(whole: Corpus, part: str) -> Corpus:
    return whole.part(part)


def predictions(path: Path, columns: Mapping[str, str] | None = None) -> Predictions:
    """The answers in a file, as it writes them; InputError in words."""
    named = dict(columns or {})
    return resources.read_file(
        "answers", path, lambda: read_predictions(path, named), (repr(named),), words_of_visitor(), columns=named
    )


@st.cache_resource(
    max_entries=32, show_spinner="Evaluating …", hash_funcs={LabelMap: repr, Corpus: id, Predictions: id}
)
def of_answers(
    pairs: Corpus, forward: Predictions, reverse: Predictions | None, reading: LabelMap, mode: str
) -> NliReport:
    """The evaluation of answers in files; PairlensError in words."""
    named = forward.renamed(reading.labels)
    swapped = reverse.renamed(reading.labels) if reverse else None
    return reported(match(pairs, named, swapped), reading.system, mode)


def answers_of(run_id: str, asked: NliRequest) -> Answers:
    """What a finished run found."""
    return _answers_of(run_id, resources.store().manifest(run_id)["finished"], asked)


_BY_IDENTITY: dict[str | type, Callable[[Any], object]] = {NliRequest: lambda asked: _named(asked), Corpus: id}


@st.cache_resource(max_entries=8, show_spinner="Reading …", hash_funcs=_BY_IDENTITY)
def planned(pairs: Corpus, asked: NliRequest, mode: str) -> Plan:
    """What is asked of a model about a data set: in both directions if its labels need it."""
    return nli_runs.plan(pairs, asked, reverse=nli_runs.needs_reverse(pairs, asked, mode))


def finished(pairs: Corpus, asked: NliRequest, mode: str) -> str | None:
    """The finished run of a model on a data set; made now if every answer is stored, else None."""
    return settle(planned(pairs, asked, mode), resources.store(), pairs.name)


@st.cache_resource(max_entries=32, show_spinner="Reading …", hash_funcs=_BY_IDENTITY)
def _answers_of(run_id: str, finished: str, asked: NliRequest) -> Answers:  # noqa: ARG001
    return nli_runs.answers(resources.store(), run_id, asked)


@st.cache_resource(max_entries=32, show_spinner="Evaluating …", hash_funcs=_BY_IDENTITY)
def of_run(pairs: Corpus, run_id: str, asked: NliRequest, mode: str) -> NliReport:
    """The evaluation of a finished run; PairlensError in words."""
    found = answers_of(run_id, asked)
    if not len(found.predictions):
        raise InputError(next(iter(found.refused.values())), Message("no pair could be asked about"))
    return reported(match(pairs, found.predictions), asked.reading.system, mode)


@st.cache_resource(max_entries=32, show_spinner="Asking …", hash_funcs={Recipe: lambda recipe: recipe.fingerprint})
def classes_of_examples(recipe: Recipe, names: tuple[str, ...]) -> list[tuple[Pair, str]]:
    """The examples and the class, by its own name, that a classifier gives each; PairlensError in words."""
    own = NliRequest(recipe, Labels(names), LabelMap("", {name: name for name in names}))
    found = []
    for one in examples():
        said, _ = nli_runs.typed(
            one.premise, one.hypothesis, own, resources.store(), lambda: resources.scorer(recipe)
        )
        pair = Pair(one.id, one.premise, one.hypothesis, one.label("sick"))
        found.append((pair, max(said, key=lambda name: said[name])))
    return found


def typed(premise: str, hypothesis: str, asked: NliRequest) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """What a model says of a typed pair in both orders; InputError in words."""
    return _typed(premise, hypothesis, asked)


@st.cache_resource(max_entries=256, show_spinner="Asking …", hash_funcs=_BY_IDENTITY)
def _typed(premise: str, hypothesis: str, asked: NliRequest) -> tuple[Mapping[str, float], Mapping[str, float]]:
    return nli_runs.typed(premise, hypothesis, asked, resources.store(), lambda: resources.scorer(asked.recipe))


def _named(asked: NliRequest) -> tuple[str, ...]:
    recipe: Recipe = asked.recipe
    return recipe.model.name, recipe.fingerprint, repr(asked.asks), repr(asked.reading), repr(asked.calibrated)
