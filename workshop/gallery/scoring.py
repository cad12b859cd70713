"""Worked examples, samples and designs, scored by the bundled models: the results, and the scores that ship."""

from __future__ import annotations

import json
import shutil
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from pairlens.analysis.multiverse import policies_for
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import sample, usual_rule
from pairlens.files.stereoset.reading import read_examples
from pairlens.files.tables import read_table
from pairlens.identity import request_key
from pairlens.models import catalogue
from pairlens.places import bundled
from pairlens.policies import PRESETS, Policy, preset_for
from pairlens.rules import RULES
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.into_store import score_missing
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.compare.pair import compare
from pairlens.studies.compare.typed import SentencePair
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.evaluate import evaluate
from pairlens.studies.gallery import FOLDER, OPENING, Measured, WorkedExample, examples, first_in, margins, verdict
from pairlens.studies.nli import examples as entailment
from pairlens.studies.nli import runs as nli_runs
from pairlens.studies.stereoset.runs import ask, model_and_class
from pairlens.tasks import TASKS
from pairlens.types import Extras, Model, Request, Task

DESIGNS = tuple(bundled("samples", "minimal_pairs", name) for name in ("attraction.tsv", "garden_path.tsv"))
"""Our experiments in English."""
_KINDS = ("causal", "masked", "classifier")


def bundled_readers(kinds: Collection[str] = _KINDS, language: str = OPENING) -> list[Model]:
    """The bundled models of these kinds that were trained on a language."""
    return [
        model
        for model in catalogue()
        if model.bundled and model.kind in kinds and language in str(model.card.get("language", "")).split()
    ]


def measure(worked: Sequence[WorkedExample], recipe: Recipe, store: Store) -> list[Measured]:
    """The results of these examples; sentences that are not stored are scored first, all at once."""
    store_pairs([pair for example in worked for pair in example.pairs], recipe, store)
    leads = [margins(example, compare(example.pairs, recipe, store)) for example in worked]
    return [Measured(own, verdict(example.expected, own)) for example, own in zip(worked, leads, strict=True)]


def store_pairs(pairs: Sequence[SentencePair], recipe: Recipe, store: Store) -> None:
    """Score the sentences of these pairs that are not stored, all at once, as Compare does."""
    requests = [recipe.request(Request("", text)) for pair in pairs for text in pair]
    keyed = {request_key(recipe.fingerprint, request): request for request in requests}
    _exhaust(score_missing(keyed, recipe, store, extras=Extras(boundary=True)))


def score(scored_by: Sequence[Model], folder: Path = FOLDER) -> None:
    """Score all examples and samples from scratch and write the results.

    Classifiers score the pairs of `pairlens.studies.nli.examples`, all other models everything else.
    """
    shutil.rmtree(folder / "scores", ignore_errors=True)
    score_examples(folder)
    store = Store(folder, shipped=None)
    for model in scored_by:
        if model.kind == "classifier":
            _score_entailment(model, store)
            continue
        default = Recipe(model, SCORERS[default_for(model.kind)], Policy())
        for task in TASKS.values():
            _score_sample(task, model, store)
        _score_stereoset(model, store)
        for path in DESIGNS:
            _score_design(path, default, store)


def score_examples(folder: Path = FOLDER) -> None:
    """Add the examples' scores by every model that has read their language, and write the results.

    The opening example of a language is scored under all policies.
    """
    store, worked = Store(folder, shipped=None), examples(folder)
    measured: dict[str, dict[str, Any]] = {example.id: {} for example in worked}
    for language in dict.fromkeys(example.language for example in worked):
        spoken = [example for example in worked if example.language == language]
        for model in bundled_readers(("causal", "masked"), language):
            kind = SCORERS[default_for(model.kind)]
            for example, result in zip(spoken, measure(spoken, Recipe(model, kind, Policy()), store), strict=True):
                rounded = [round(margin, 4) for margin in result.margins]
                measured[example.id][model.name] = {"margins": rounded, "right": result.right}
            for policy in policies_for(kind):
                measure([first_in(language, worked)], Recipe(model, kind, policy), store)
    (folder / "measured.json").write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")


def score_sample(task: Task, scored_by: Sequence[Model], folder: Path = FOLDER) -> None:
    """Add the scores of a task's sample to those that ship; what is there stays."""
    store = Store(folder, shipped=None)
    for model in scored_by:
        if model.kind != "classifier":
            _score_sample(task, model, store)


def _score_design(path: Path, recipe: Recipe, store: Store) -> None:
    """The sentences of an experiment, so that its page opens with results."""
    table = read_table(path)
    _exhaust(evaluate(read_design(table, guess_columns(table)), recipe, store))


def _score_sample(task: Task, model: Model, store: Store) -> None:
    """A task's sample, so that the page Benchmarks opens with results; sums without tokens where they suffice.

    Skips confidential tasks, whose keys belong to one store, and models to which no rule of the task applies.
    """
    recipe = Recipe(model, SCORERS[default_for(model.kind)], preset_for("pairlens", task.sets))
    rule = usual_rule(task, recipe.kind)
    if task.confidential or not rule:
        return
    planned, forms, shared = plan(task, task.read(sample(task)), recipe, rule), RULES[rule].forms, RULES[rule].shared
    extras = Extras(boundary=forms)
    _exhaust(score_missing(planned.requests, recipe, store, extras=extras, tokens=forms or shared, by_token=shared))


def _score_stereoset(model: Model, store: Store) -> None:
    """The sample of StereoSet, token by token, from which every definition of its page is computed."""
    task = TASKS["stereoset"]
    policy = preset_for("pairlens", task.sets)
    for kind, examples_of_kind in read_examples(sample(task)).by_kind.items():
        planned = ask(examples_of_kind, kind, *model_and_class(kind, model.name), policy).planned
        _exhaust(score_missing(planned.requests, planned.recipe, store, by_token=True))


def _score_entailment(model: Model, store: Store) -> None:
    """The examples of entailment in both orders, as the page Entailment scores a typed pair."""
    question = nli_runs.ask(Recipe(model, SCORERS[default_for(model.kind)], PRESETS["pairlens"]))
    planned = nli_runs.plan(entailment.corpus(), question, reverse=True)
    _exhaust(score_missing(planned.requests, planned.recipe, store))


def _exhaust(progress: Iterable[object]) -> None:
    deque(progress, maxlen=0)
