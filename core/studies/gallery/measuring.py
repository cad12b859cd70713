"""Scoring the gallery with the bundled models: what is measured, and the scores that ship."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from core import measures
from core.analysis.multiverse import policies_for
from core.files.stereoset.reading import read_examples
from core.files.tables import read_table
from core.identity import request_key
from core.models import catalogue
from core.policies import PRESETS, Policy, preset_for
from core.rules import RULES
from core.runs.requests import plan
from core.runs.zero_shot import sample, usual_rule
from core.scorers import SCORERS, default_for
from core.scoring.into_store import score_missing
from core.scoring.recipe import Recipe
from core.settings import ROOT
from core.store import Store
from core.studies.compare import Comparison, compare
from core.studies.experiment.columns import guess_columns
from core.studies.experiment.design import read_design
from core.studies.experiment.evaluate import evaluate
from core.studies.gallery.examples import FOLDER, Measured, WorkedExample, examples, verdict
from core.studies.nli import examples as entailment
from core.studies.nli import runs as nli_runs
from core.studies.stereoset.runs import ask, model_and_class
from core.tasks import TASKS
from core.types import Extras, Model, Request, Task

DESIGNS = tuple(ROOT / "data" / "samples" / "minimal_pairs" / name for name in ("attraction.tsv", "garden_path.tsv"))
"""Our experiments in English, the language of the examples."""
_LANGUAGE = "en"
_KINDS = ("causal", "masked", "classifier")


def bundled_readers(kinds: Collection[str] = _KINDS) -> list[Model]:
    """The bundled models of these kinds that have read the language of the examples."""
    return [
        model
        for model in catalogue()
        if model.bundled and model.kind in kinds and _LANGUAGE in str(model.card.get("language", "")).split()
    ]


def margins(example: WorkedExample, answers: Sequence[Comparison]) -> tuple[float, ...]:
    """How far A is ahead in each pair, in bits: as a whole, or at the word that the example names."""
    if not example.at:
        return tuple(measures.bits(one.margin) for one in answers)
    return tuple(_margin_at(word, one) for word, one in zip(example.at, answers, strict=True))


def _margin_at(word: str, answer: Comparison) -> float:
    frame = answer.contrast.frame
    return float(frame.loc[(frame["word_a"] == word) & (frame["word_b"] == word), "difference_bits"].iloc[0])


def measure(some: Sequence[WorkedExample], recipe: Recipe, store: Store) -> list[Measured]:
    """Score these examples' sentences where the store lacks them, all at once, and say how each came out."""
    requests = [recipe.request(Request("", text)) for example in some for pair in example.pairs for text in pair]
    keyed = {request_key(recipe.fingerprint, request): request for request in requests}
    for _ in score_missing(keyed, recipe, store, extras=Extras(boundary=True)):
        continue
    found = [margins(example, compare(example.pairs, recipe, store)) for example in some]
    return [Measured(own, verdict(example.expected, own)) for example, own in zip(some, found, strict=True)]


def score(scored_by: Sequence[Model], folder: Path = FOLDER) -> None:
    """Score all examples from nothing, the opening one under all policies too, and write what was measured.

    Classifiers are asked about the pairs of `core.studies.nli.examples`, all others about everything else.
    """
    shutil.rmtree(folder / "scores", ignore_errors=True)
    store = Store(folder, shipped=None)
    opening, *others = examples(folder)
    measured: dict[str, dict[str, Any]] = {example.id: {} for example in (opening, *others)}
    for model in scored_by:
        if model.kind == "classifier":
            _score_entailment(model, store)
            continue
        default = Recipe(model, SCORERS[default_for(model.kind)], Policy())
        for example, result in zip((opening, *others), measure((opening, *others), default, store), strict=True):
            rounded = [round(margin, 4) for margin in result.margins]
            measured[example.id][model.name] = {"margins": rounded, "right": result.right}
        for task in TASKS.values():
            _score_sample(task, model, store)
        _score_stereoset(model, store)
        for path in DESIGNS:
            _score_design(path, default, store)
        for policy in policies_for(default.kind):
            measure([opening], Recipe(model, default.kind, policy), store)
    (folder / "measured.json").write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")


def _score_design(path: Path, recipe: Recipe, store: Store) -> None:
    """The sentences of an experiment, so that its page is answered on arrival."""
    table = read_table(path)
    for _ in evaluate(read_design(table, guess_columns(table)), recipe, store):
        continue


def _score_sample(task: Task, model: Model, store: Store) -> None:
    """A task's sample too, so that the page of benchmarks is answered on arrival; sums only, where these do.

    Not of a confidential task, whose keys belong to a store, and not where the answer would mean nothing.
    """
    recipe = Recipe(model, SCORERS[default_for(model.kind)], preset_for("pairlens", task.sets))
    rule = usual_rule(task, recipe.kind)
    if task.confidential or not rule:
        return
    planned, asked = plan(task, task.read(sample(task)), recipe, rule), RULES[rule]
    by_token = asked.forms or asked.shared
    for _ in score_missing(
        planned.requests, recipe, store, extras=Extras(boundary=asked.forms), tokens=by_token, by_token=asked.shared
    ):
        continue


def _score_stereoset(model: Model, store: Store) -> None:
    """What the page of stereotypes asks of our sample, token by token: every definition is answered from it."""
    task = TASKS["stereoset"]
    policy = preset_for("pairlens", task.sets)
    for kind, found in read_examples(sample(task)).by_kind.items():
        planned = ask(found, kind, *model_and_class(kind, model.name), policy).planned
        for _ in score_missing(planned.requests, planned.recipe, store, by_token=True):
            continue


def _score_entailment(model: Model, store: Store) -> None:
    """The examples of entailment in both orders, as the page of entailment asks about a typed pair."""
    asked = nli_runs.ask(Recipe(model, SCORERS[default_for(model.kind)], PRESETS["pairlens"]))
    planned = nli_runs.plan(entailment.corpus(), asked, reverse=True)
    for _ in score_missing(planned.requests, planned.recipe, store):
        continue
