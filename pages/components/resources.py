"""What the server process keeps between reruns and shares between visitors: the only caches of the dashboard."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core import alongside, gallery, models, uploads
from core.agreement.answers import Answers, answers_in_file, answers_of_run
from core.analysis import temperature
from core.analysis.experiment import Analysis, Columns
from core.analysis.interaction import Interaction, interaction
from core.comparison import Comparison, compare
from core.comparison.typed import Pair
from core.errors import PolicyError
from core.evaluate import Plan, plan
from core.experiment.design import Design
from core.experiment.evaluate import evaluate, missing
from core.experiment.findings import Findings, find
from core.experiment.predictions import prediction_table
from core.experiment.receipt import methods, receipt
from core.experiment.words import words_of_scores
from core.exports import written
from core.generator import Template, generate
from core.lint import Report, lint, lint_design, token_counter
from core.next_word.forms import Choice, compare_forms
from core.next_word.outlook import Outlook, places
from core.next_word.outlook import outlook as expected_at
from core.next_word.prefix import predictor, read_prefix, refuse_long
from core.next_word.table import next_word_table as published
from core.policies import Policy
from core.readers import readers as readers_of
from core.recipe import Recipe
from core.result import Result, read
from core.settings import settings
from core.shelf import Shelf
from core.store import Store
from core.types import Item, Model, Scorer, Task
from core.zero_shot import meaningless
from pages.components.chosen import Chosen
from pages.components.experiment import Experiment, Question, Source


def _identity(result: Result) -> tuple[str, str]:
    """A run's id, and when it was made."""
    return result.manifest["run_id"], result.manifest["finished"]


_BY_IDENTITY: dict[str | type, Callable[[Any], object]] = {
    Recipe: lambda recipe: (recipe.model.name, recipe.fingerprint, repr(recipe.policy))
}
"""How caches tell recipes apart."""


@st.cache_resource
def store() -> Store:
    """This machine's scores and runs, with the shipped scores underneath."""
    return Store()


@st.cache_resource
def shelf() -> Shelf:
    """The models in memory."""
    return Shelf(settings().cached_models_mb)


@st.cache_resource(ttl="1m")
def catalogue() -> list[Model]:
    """Bundled models, and those trained or converted on this machine."""
    return models.catalogue()


@st.cache_resource(ttl="1m", max_entries=256)
def model(source: str) -> Model:
    """A model by catalogue name, folder or hub id; ModelError in words."""
    return models.find(source)


@st.cache_resource
def examples() -> tuple[gallery.Example, ...]:
    """The gallery."""
    return gallery.examples()


def scorer(recipe: Recipe) -> Scorer:
    """The recipe's scorer from the shelf; loads the model where it is not there yet."""
    with st.spinner(f"Loading {recipe.model.name} …", show_time=True):
        return shelf().scorer(recipe)


def warm_up(recipe: Recipe) -> None:
    """Load the recipe's scorer in the background, after the first paint was answered from stored scores."""
    if not shelf().holds(recipe):
        threading.Thread(target=partial(shelf().scorer, recipe), daemon=True).start()


def compared(pairs: Sequence[Pair], recipe: Recipe) -> list[Comparison]:
    """These pairs under a recipe; scored once, however often the page runs. PairlensError in words."""
    return _compared(tuple(pairs), recipe)


@st.cache_resource(max_entries=256, show_spinner="Scoring …", hash_funcs=_BY_IDENTITY)
def _compared(pairs: tuple[Pair, ...], recipe: Recipe) -> list[Comparison]:
    return compare(pairs, recipe, store(), lambda: shelf().scorer(recipe))


def planned(task: Task, path: Path, recipe: Recipe, rule: str = "") -> Plan:
    """What the items at a path ask of a recipe; read again when a file there changes. PairlensError in words."""
    return _planned(task, path, (repr(task), *states(path)), recipe, rule)


@st.cache_resource(max_entries=6, show_spinner="Reading …", hash_funcs=_BY_IDENTITY)
def _planned(_task: Task, path: Path, states: tuple[object, ...], recipe: Recipe, rule: str) -> Plan:  # noqa: ARG001
    if reason := meaningless(_task, rule, recipe.kind):
        raise PolicyError(reason)
    return plan(_task, _task.read(path), recipe, rule)


def states(path: Path) -> tuple[object, ...]:
    """Size and time of every file at a path: another tuple, another data set."""
    if path.is_relative_to(settings().uploads):  # a folder there is named after what it holds
        return str(path), path.exists()
    files = [path, *sorted(path.glob("*"))] if path.exists() else []
    return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files)


def result(run_id: str) -> Result:
    """A finished run; StoreError in words."""
    return _result(run_id, store().manifest(run_id).get("finished", ""))


@st.cache_resource(max_entries=6, show_spinner="Reading …")
def _result(run_id: str, finished: str) -> Result:  # noqa: ARG001
    return read(store(), run_id)


@st.cache_data(max_entries=32, show_spinner="Comparing …", hash_funcs={Result: _identity})
def against(first: Result, second: Result, metric: str) -> pd.DataFrame:
    """Two runs compared item by item (`core.alongside.against`)."""
    return alongside.against(first, second, metric)


@st.cache_data(max_entries=32, show_spinner="Computing …", hash_funcs={Result: _identity})
def temperature_curve(result: Result, temperatures: tuple[float, ...]) -> pd.DataFrame:
    """A run's headlines at these temperatures, all of them stored (`core.analysis.temperature.curve`)."""
    at = partial(store().candidates, result.manifest["run_id"])
    return temperature.curve(at, temperatures, result.task, result.policy, result.rule)


def by_policy(result: Result) -> pd.DataFrame:
    """The finished runs of the same model and data (`core.alongside.by_policy`)."""
    return alongside.by_policy(result, store())


@st.cache_resource(max_entries=16, show_spinner="Computing …", hash_funcs={Result: _identity})
def agreement(result: Result) -> Answers:
    """A run on an agreement set."""
    return answers_of_run(result, store())


def agreement_in_file(path: Path, policy: Policy) -> Answers:
    """The log-probabilities in a file; InputError in words."""
    return _agreement_in_file(path, states(path.parent), policy)


@st.cache_resource(max_entries=6, show_spinner="Reading …", hash_funcs={Policy: repr})
def _agreement_in_file(path: Path, states: tuple[object, ...], policy: Policy) -> Answers:  # noqa: ARG001
    return answers_in_file(path, policy)


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


def _states_of(source: Source) -> tuple[object, ...]:
    return states(source.data) if isinstance(source.data, Path) else ()


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
        if n := missing(design(experiment), recipe, store()):
            return n
        _refused()[asked] = {}
    return 0


def score(experiment: Experiment, recipe: Recipe) -> None:
    """Score what is missing, here and now; PairlensError in words."""
    reasons: dict[str, str] = {}
    with st.spinner(f"Scoring with {recipe.model.name} …", show_time=True):
        for _ in evaluate(design(experiment), recipe, store(), scorer=lambda: scorer(recipe), refused=reasons):
            continue
    _refused()[repr(experiment), recipe.fingerprint] = reasons


def refused(experiment: Experiment, recipe: Recipe) -> dict[str, str]:
    """Why sentences could not be scored, by sentid."""
    return _refused().get((repr(experiment), recipe.fingerprint), {})


_BY_WORDS = {Experiment: repr, **_BY_IDENTITY}


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_WORDS)
def _experiment_words(experiment: Experiment, recipe: Recipe, analysis: Analysis) -> pd.DataFrame:
    return words_of_scores(design(experiment), recipe, store(), analysis)


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
    asked = design(question.experiment)
    return pd.concat([prediction_table(asked, recipe, store()) for recipe in question.recipes], ignore_index=True)


@st.cache_resource(max_entries=12, hash_funcs={Question: lambda asked: asked.identity, **_BY_IDENTITY})
def receipt_of(question: Question, recipe: Recipe) -> tuple[dict[str, Any], str]:
    """How one model's numbers of an experiment were made, and the sentences for a Methods section."""
    found = findings(question)
    return receipt(found, recipe, question.experiment.source.name), methods(found, recipe)


def file_of(experiment: Experiment) -> tuple[Path, Columns]:
    """A file with the sentences of an experiment, for a job: the visitor's own, if a command reads it as it was read
    here, else one with nothing but these sentences.
    """
    source = experiment.source
    if isinstance(source.data, Path) and not source.delimiter and not source.encoding:
        return source.data, experiment.columns
    sentences = design(experiment).sentences[["sentid", "sentence"]]
    return uploads.keep([("sentences.tsv", written(sentences, ".tsv"))]), Columns(pairid="", comparison="", roi="")


def next_places(typed: str, recipe: Recipe) -> tuple[str, pd.DataFrame]:
    """A prefix as the model reads it, and the uncertainty at each of its places; PairlensError in words."""
    refuse_long(typed)
    return _next_places(typed, recipe)


@st.cache_resource(max_entries=256, show_spinner="Asking …", hash_funcs=_BY_IDENTITY)
def _next_places(typed: str, recipe: Recipe) -> tuple[str, pd.DataFrame]:
    prefix = read_prefix(typed, recipe)
    return prefix, places(prefix, predictor(recipe, lambda: shelf().scorer(recipe)))


@st.cache_resource(max_entries=256, show_spinner="Asking …", hash_funcs=_BY_IDENTITY)
def outlook(prefix: str, position: int, recipe: Recipe) -> Outlook:
    """What is expected after so many pieces of a prefix (as the model reads it)."""
    return expected_at(prefix, position, predictor(recipe, lambda: shelf().scorer(recipe)), recipe.policy)


@st.cache_resource(max_entries=256, show_spinner="Comparing …", hash_funcs=_BY_IDENTITY)
def choice(prefix: str, forms: tuple[str, ...], recipe: Recipe) -> Choice:
    """Forms after a prefix (as typed); PairlensError in words."""
    return compare_forms([(prefix, forms)], recipe, store(), lambda: shelf().scorer(recipe))[0]


@st.cache_resource(max_entries=64, show_spinner="Asking …", hash_funcs=_BY_IDENTITY)
def next_word_table(prefix: str, recipe: Recipe, by: str) -> pd.DataFrame:
    """The published table of a prefix (as typed), without the number of the text; PairlensError in words."""
    opened = predictor(recipe, lambda: shelf().scorer(recipe))
    return published([prefix], recipe, opened, by=by, prefixes=True).drop(columns="sentence")


_CHOSEN = {Chosen: repr}


def items(chosen: Chosen) -> tuple[Item, ...]:
    """The items of a set, read again when a file of it changes; InputError in words."""
    return _items(chosen, states(chosen.path))


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=_CHOSEN)
def _items(chosen: Chosen, states: tuple[object, ...]) -> tuple[Item, ...]:  # noqa: ARG001
    return chosen.read()


def n_items(chosen: Chosen) -> int:
    """How many items a small set has; InputError in words."""
    return _n_items(chosen, states(chosen.path))


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=_CHOSEN)
def _n_items(chosen: Chosen, states: tuple[object, ...]) -> int:  # noqa: ARG001
    return len(chosen.read())


def linted(chosen: Chosen, model_name: str = "") -> Report:
    """What may spoil a result on a set; with the tokens of a model, if one is named. PairlensError in words."""
    return _linted(chosen, states(chosen.path), model_name)


@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs=_CHOSEN)
def _linted(chosen: Chosen, states: tuple[object, ...], model_name: str) -> Report:  # noqa: ARG001
    counter = token_counter(model(model_name)) if model_name else None
    known = {"tokenizer": counter.tokens, "window": counter.window} if counter else {}
    if chosen.experiment:
        return lint_design(design(chosen.experiment), **known)
    return lint(items(chosen), source=chosen.path, **known)


def readers(path: Path) -> list[str]:
    """The tasks that can read a file, the likeliest first (`core.readers`)."""
    return _readers(path, states(path))


@st.cache_resource(max_entries=64, show_spinner="Looking into the file …")
def _readers(path: Path, states: tuple[object, ...]) -> list[str]:  # noqa: ARG001
    return readers_of(path)
