"""What the server keeps between reruns and shares between visitors, and how its caches tell arguments apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar, cast

import pandas as pd
import streamlit as st

from core import models
from core.analysis.experiment import Columns
from core.errors import PolicyError
from core.files.apart import Watch
from core.files.row_mistakes import collected
from core.policies import Policy
from core.runs.readers import items_of
from core.runs.requests import Plan, plan
from core.runs.result import Result, read
from core.runs.zero_shot import meaningless
from core.scoring.model_cache import ModelCache
from core.scoring.recipe import Recipe
from core.settings import settings
from core.sharing import Rights
from core.store import Store
from core.studies import apart
from core.studies.experiment.design import Design
from core.studies.generator import Template, generate
from core.types import Model, Scorer, Task
from pages.components.shared.experiment import Experiment, Source
from pages.components.shared.read_apart import kept, read_apart
from pages.components.shared.rights import rights

BY_IDENTITY: dict[str | type, Callable[[Any], object]] = {
    Recipe: lambda recipe: (recipe.model.name, recipe.fingerprint, repr(recipe.policy)),
    Result: lambda result: (result.manifest["run_id"], result.manifest["finished"]),
    type(Path()): lambda path: (str(path), states(path)),
    Experiment: lambda experiment: (repr(experiment), states_of(experiment.source)),
    **dict.fromkeys((Policy, Rights, Template), repr),
}
"""The fingerprints of arguments: caches tell recipes, finished runs and files, as they are now, apart by them."""
_PLANS = 6
_READING = Lock()
"""Large files are read by this process one after the other."""
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


def remembered(
    spinner: str | bool = "Computing …",
    most: int = 12,
    by: Mapping[str | type, Callable[[Any], object]] | None = None,
) -> Callable[[F], F]:
    """A decorator: what a function returned for each of the `most` latest fingerprints of its arguments.

    Fingerprints are those of `BY_IDENTITY` and `by`; what is returned must not be changed.
    """
    return cast(
        "Callable[[F], F]",
        st.cache_resource(max_entries=most, show_spinner=spinner, hash_funcs=BY_IDENTITY | dict(by or {})),
    )


@st.cache_resource
def store() -> Store:
    """This machine's scores and runs, with the shipped scores underneath."""
    return Store()


@st.cache_resource
def model_cache() -> ModelCache:
    """The models in memory."""
    return ModelCache(settings().cached_models_mb)


@st.cache_resource(ttl="1m")
def catalogue() -> list[Model]:
    """Bundled models, and those trained or converted on this machine."""
    return models.catalogue()


def model(source: str) -> Model:
    """A model by catalogue name, folder or hub id, if visitors may name it; ModelError in words."""
    return _model(source, rights())


@st.cache_resource(ttl="1m", max_entries=256, hash_funcs={Rights: repr})
def _model(source: str, allowed: Rights) -> Model:  # noqa: ARG001
    return models.find(source)


def look_for_models() -> None:
    """The models on this machine have changed."""
    catalogue.clear()
    _model.clear()


def scorer(recipe: Recipe) -> Scorer:
    """The recipe's scorer from the model cache; loads the model where it is not there yet."""
    with st.spinner(f"Loading {recipe.model.name} …", show_time=True):
        return model_cache().scorer(recipe)


def planned(task: Task, path: Path, recipe: Recipe, rule: str = "") -> Plan:
    """What the items at a path ask of a recipe; read again when a file there changes. PairlensError in words."""
    key = repr(task), *states(path)
    if not (apart.large(path) and apart.named(task)):
        return _planned(task, path, key, recipe, rule)
    _refuse_meaningless(task, recipe, rule)
    return read_apart(
        "plan", (*key, BY_IDENTITY[Recipe](recipe), rule), path,
        lambda watch: plan(task, apart.items(task, path, watch), recipe, rule),
    )  # fmt: skip


@remembered("Reading …", _PLANS)
def _planned(_task: Task, path: Path, states: tuple[object, ...], recipe: Recipe, rule: str) -> Plan:  # noqa: ARG001
    _refuse_meaningless(_task, recipe, rule)
    return plan(_task, items_of(_task, path), recipe, rule)


def _refuse_meaningless(task: Task, recipe: Recipe, rule: str) -> None:
    if reason := meaningless(task, rule, recipe.kind, recipe.policy):
        raise PolicyError(reason)


def read_file(
    reader: str, path: Path, make: Callable[[], T], key: tuple[object, ...] = (), said: Callable[[str], str] = str,
    **arguments: Any,
) -> T:  # fmt: skip
    """What `make` reads of a visitor's file, once for each `key` until a file at this path changes; InputError.

    A large file is first read by a process with bounded time and memory (`core.studies.apart.tried`); `said` says how
    far it is in the page's language.
    """

    def after(watch: Watch) -> T:
        apart.tried(reader, path, watch, **arguments)
        with _READING:
            return make()

    key = (*states(path), *key)
    if apart.large(path):
        return read_apart(reader, key, path, after, said=said)
    return kept(reader, key, lambda: (make(), 0))


def states(path: Path) -> tuple[object, ...]:
    """Size and time of every file at a path: another tuple, another data set."""
    if path.is_relative_to(settings().uploads):  # a folder there is named after what it holds
        return str(path), path.exists()
    files = [path, *sorted(path.glob("*"))] if path.exists() else []
    return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files)


def result(run_id: str) -> Result:
    """A finished run; StoreError in words."""
    return _result(run_id, store().manifest(run_id).get("finished", ""))


@remembered("Reading …", 6)
def _result(run_id: str, finished: str) -> Result:  # noqa: ARG001
    return read(store(), run_id)


def experiment_table(source: Source) -> tuple[pd.DataFrame, Columns]:
    """The table of an experiment, without rows of another length, and what its columns probably are; InputError."""

    def table() -> tuple[pd.DataFrame, Columns]:
        with collected():
            return source.read()

    return _read_table(source, table)


def design(experiment: Experiment) -> Design:
    """An experiment as sentences and pairs; InputError in words."""
    return _read_table(experiment.source, experiment.read, repr(experiment.columns))


def _read_table(source: Source, make: Callable[[], T], *columns: str) -> T:
    key = repr(source), *columns
    if not isinstance(source.data, Path):
        return kept("typed", key, lambda: (make(), 0))
    return read_file("table", source.data, make, key, **asdict(source.layout))


def states_of(source: Source) -> tuple[object, ...]:
    """The same of where an experiment comes from; nothing of what was typed."""
    return states(source.data) if isinstance(source.data, Path) else ()


@remembered("Making items …", 16)
def generated(template: Template, number: int, seed: int) -> pd.DataFrame:
    """Items made from a template; InputError in words."""
    return generate(template, number, seed)
