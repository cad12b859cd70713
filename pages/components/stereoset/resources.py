"""What the server process keeps for the page of stereotypes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from core import identity
from core.analysis import stereotype_profile
from core.errors import PolicyError
from core.files.stereoset.examples import Examples
from core.files.stereoset.reading import read_examples
from core.files.tables import files
from core.policies import Policy
from core.runs.evaluate import data_name, has_finished
from core.runs.receipts.bibtex import bibtex
from core.runs.result import Result
from core.store import Store
from core.studies.stereoset import order
from core.studies.stereoset.answers import answers, keys, methods_of_runs, receipt_of_runs
from core.studies.stereoset.definitions import Definition
from core.studies.stereoset.measured import measure
from core.studies.stereoset.predictions import Predictions, read_predictions
from core.studies.stereoset.receipt import methods, numbers
from core.studies.stereoset.runs import StereoSetChoices, ask, model_and_class, run
from core.tasks import TASKS
from core.tasks.stereoset import ENDINGS
from core.types import Model
from pages.components.shared.resources import BY_IDENTITY, read_file, states
from pages.components.stereoset.choose_definition import Counted
from pages.components.stereoset.results import StereoSetResult
from pages.components.stereoset.stereoset_request import StereoSetRequest

_BY_NAME: dict[str | type, Callable[[Any], object]] = {
    Model: lambda model: (model.name, model.weights, model.revision),
    Policy: repr,
    StereoSetChoices: repr,
    Counted: repr,
    StereoSetRequest: lambda asked: [part.planned.run_id for part in asked.parts],
}
"""How caches tell what is asked apart."""


def examples(path: Path) -> Examples:
    """The examples at a path, read again when a file there changes; InputError in words."""
    return read_file(path, read_examples, *files(path, ENDINGS))


def asked(
    data: Path, model: Model, policy: Policy, choices: StereoSetChoices
) -> tuple[StereoSetRequest, tuple[str, ...]]:
    """What these examples ask of a model, and why it cannot be asked about a task; PairlensError if about none."""
    examples(data)  # a button may be drawn, which no cache of Streamlit allows
    return _asked(data, states(data), model, policy, choices)


@st.cache_resource(max_entries=12, show_spinner="Reading …", hash_funcs=_BY_NAME)
def _asked(
    data: Path, seen: tuple[object, ...], model: Model, policy: Policy, choices: StereoSetChoices  # noqa: ARG001
) -> tuple[StereoSetRequest, tuple[str, ...]]:  # fmt: skip
    source = f"{model.name}@{model.revision}" if model.revision else model.name
    some, parts, reasons = examples(data), [], []
    for task, found in some.by_kind.items():
        if not found:
            continue
        try:
            parts.append(ask(found, task, *model_and_class(task, source), policy, choices))
        except PolicyError as reason:
            reasons.append(str(reason).replace(f", or --skip-{task}", ""))
    if not parts:
        raise PolicyError(" ".join(reasons))
    return StereoSetRequest(model, tuple(parts), some, data, policy, choices), tuple(reasons)


def in_runs(one: StereoSetRequest, counted: Counted, store: Store) -> StereoSetResult:
    """A model's answers, all of which are stored; PairlensError in words."""
    unfinished = [part for part in one.parts if not has_finished(part.planned, store)]
    if unfinished:
        with st.spinner("Reading stored scores …"):
            for part in unfinished:
                for _ in run(part, store, data=data_name(one.data)):
                    continue
    made = tuple((part.planned.run_id, store.manifest(part.planned.run_id)["finished"]) for part in one.parts)
    return _in_runs(one, made, counted, store)


@st.cache_resource(max_entries=12, show_spinner="Computing …", hash_funcs=_BY_NAME)
def _in_runs(
    one: StereoSetRequest, made: tuple[tuple[str, str], ...], counted: Counted, _store: Store
) -> StereoSetResult:  # fmt: skip
    found = answers(one.parts, _store, one.examples, counted.definition, counted.ties, one.model.name)
    (usual, (scores, measured)), *_ = found.items()
    receipt = receipt_of_runs(one.parts, _store, usual, measured, one.examples)
    return StereoSetResult(
        one.model.name, _key(made, counted), one.examples, scores,
        {definition: each for definition, (_, each) in found.items()}, receipt,
        f"{methods_of_runs(one.parts, usual)} {methods(measured)}", bibtex(keys(one.parts), one.model),
        one.model.name, one.policy, data_name(one.data), one.unreadable,
    )  # fmt: skip


def in_file(data: Path, file: Path, ties: str) -> StereoSetResult:
    """The scores in a file of predictions for these examples; InputError in words."""
    some, scores = examples(data), read_file(file, read_predictions, file)
    return _in_file(data, states(data), file, states(file), ties, some, scores)


@st.cache_resource(max_entries=24, show_spinner="Computing …")
def _in_file(
    data: Path, seen: tuple[object, ...], file: Path, seen_too: tuple[object, ...], ties: str,
    _some: Examples, _scores: Predictions,
) -> StereoSetResult:  # fmt: skip
    found = measure(_some, _scores, ties)
    receipt = {"file": file.name, **numbers(found, _some)}
    return StereoSetResult(
        _scores.name.removeprefix("predictions_"), _key(data, seen, file, seen_too, ties), _some, _scores,
        {Definition(elsewhere=True): found}, receipt, f"Scores: {file.name}. {methods(found)}",
        bibtex(TASKS["stereoset"].cites), data=data_name(data),
    )  # fmt: skip


@st.cache_resource(max_entries=24, show_spinner="Computing …", hash_funcs={StereoSetResult: lambda one: one.key})
def order_does_not_matter(one: StereoSetResult) -> bool:
    """Whether another order of the examples gives the same numbers."""
    return order.order_does_not_matter(one.examples, one.predictions, one.measured)


@st.cache_resource(max_entries=24, show_spinner="Computing …", hash_funcs=BY_IDENTITY)
def profiles(one: Result) -> pd.DataFrame:
    """The profiles of a run of GEST or EuroGEST, one per language."""
    return stereotype_profile.profiles(one.candidates, one.task, one.policy, one.rule)


def _key(*parts: object) -> str:
    return identity.digest(repr(parts))[:12]
