"""What the server keeps between reruns and shares between visitors, and how its caches tell arguments apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import pandas as pd
import streamlit as st

from core import models
from core.analysis.experiment import Columns
from core.errors import PolicyError
from core.files import apart
from core.files.apart import Watch, listed
from core.files.tables import label, large
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
from core.studies.experiment.design import Design
from core.studies.generator import Template, generate
from core.types import Model, Scorer, Task
from pages.components.shared.experiment import Experiment, Source
from pages.components.shared.frame import own_place
from pages.components.shared.read_apart import kept, read_apart
from pages.components.shared.rights import rights

BY_IDENTITY: dict[str | type, Callable[[Any], object]] = {
    Recipe: lambda recipe: (recipe.model.name, recipe.fingerprint, repr(recipe.policy)),
    Result: lambda result: (result.manifest["run_id"], result.manifest["finished"]),
    type(Path()): lambda path: (str(path), states(path)),
    Experiment: lambda experiment: (
        repr(experiment),
        states(data) if isinstance(data := experiment.source.data, Path) else (),
    ),
    **dict.fromkeys((Policy, Rights, Template), repr),
}
"""The fingerprints of arguments: caches tell recipes, finished runs and files, as they are now, apart by them."""
_ITEMS_OF_A_MB = 9
"""What an item asks takes about 2 kB: so many bits fewer has the number of megabytes."""
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

    def decorate(function: F) -> F:
        cached = st.cache_resource(max_entries=most, show_spinner=spinner, hash_funcs=BY_IDENTITY | dict(by or {}))(
            function
        )

        @wraps(function)
        def in_place(*arguments: Any, **named: Any) -> Any:
            with own_place() if spinner else nullcontext():
                return cached(*arguments, **named)

        return cast("F", in_place)

    return decorate


@st.cache_resource(show_spinner=False)
def store() -> Store:
    """This machine's scores and runs, with the shipped scores underneath."""
    return Store()


@st.cache_resource(show_spinner=False)
def model_cache() -> ModelCache:
    return ModelCache(settings().cached_models_mb)


@st.cache_resource(ttl="1m", show_spinner=False)
def catalogue() -> list[Model]:
    """Bundled models, and those trained or converted on this machine."""
    return models.catalogue()


def model(source: str) -> Model:
    """A model by catalogue name, folder or hub id, if visitors may name it; ModelError in words."""
    return _model(source, rights())


@st.cache_resource(ttl="1m", max_entries=256, show_spinner=False, hash_funcs={Rights: repr})
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
    if reason := meaningless(task, rule, recipe.kind, recipe.policy):
        raise PolicyError(reason)

    def make() -> tuple[Plan, int]:
        items = [*read_file(path, items_of, task, path)]
        return plan(task, items, recipe, rule), len(items) >> _ITEMS_OF_A_MB

    return kept("plan", (repr(task), *states(path), BY_IDENTITY[Recipe](recipe), rule), make)


def read_file(
    path: Path, reader: Callable[..., T], *arguments: object, light: bool = False, said: Callable[[str], str] = str
) -> T:
    """What a reader returns of a visitor's file, read once until a file at this path changes; InputError in words.

    A large file is read by a process with bounded time and memory (`core.files.apart.read`); `said` says how far it
    is in the page's language. What is read is `light` if it is small, however large the file is.
    """
    name = f"{reader.__module__}.{reader.__qualname__}"
    key = (*states(path), repr(getattr(reader, "__self__", None)), repr(arguments))
    if not large(path):
        return kept(name, key, lambda: (listed(reader(*arguments)), 0))

    def make(watch: Watch) -> T:
        return apart.read(reader, *arguments, where=label(path), watch=watch)

    return read_apart(name, key, path, make, light=light, said=said)


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
    return _read(source, source.whole_rows)


def design(experiment: Experiment) -> Design:
    """An experiment as sentences and pairs; InputError in words."""
    return _read(experiment.source, experiment.read)


def _read(source: Source, reader: Callable[[], T]) -> T:
    if isinstance(source.data, Path):
        return read_file(source.data, reader)
    return kept(reader.__qualname__, (repr(getattr(reader, "__self__", None)),), lambda: (reader(), 0))


@remembered("Making items …", 16)
def generated(template: Template, number: int, seed: int) -> pd.DataFrame:
    """Items made from a template; InputError in words."""
    return generate(template, number, seed)
