"""What the server keeps between reruns and shares between visitors, and how its caches tell arguments apart."""

import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import in_cached_function

from pages.components.shared.experiment import Experiment, Source
from pages.components.shared.frame import free_key, own_place
from pages.components.shared.rights import rights
from pairlens import identity, models
from pairlens.analysis.experiment import Columns
from pairlens.errors import InputError, PolicyError
from pairlens.evaluation.readers import items_of
from pairlens.evaluation.requests import Plan, plan
from pairlens.evaluation.result import Run, read
from pairlens.evaluation.zero_shot import meaningless
from pairlens.files import apart
from pairlens.files.apart import Watch, listed
from pairlens.files.tables import label, large
from pairlens.messages import Message
from pairlens.models.inventory import Entry, inventory
from pairlens.models.resolve import is_open
from pairlens.models.trial import try_apart
from pairlens.policies import Policy
from pairlens.scoring.model_cache import ModelCache
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.sharing import Rights
from pairlens.store import Store
from pairlens.studies.experiment.design import Design
from pairlens.studies.generator import Template, generate
from pairlens.types import Model, Scorer, Task

BY_IDENTITY: dict[str | type, Callable[[Any], object]] = {
    Recipe: lambda recipe: (recipe.model.name, recipe.fingerprint, repr(recipe.policy)),
    Run: lambda result: (result.manifest["run_id"], result.manifest["finished"]),
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


def known_models() -> list[Entry]:
    """Those of the catalogue, then kept folders and what was fetched from the hub, if visitors may name them."""
    return _models_known(rights())


@st.cache_resource(ttl="1m", max_entries=8, show_spinner=False, hash_funcs={Rights: repr})
def _models_known(allowed: Rights) -> list[Entry]:  # noqa: ARG001
    return [entry for entry in inventory(catalogue()) if is_open(entry.name)]


def model(source: str) -> Model:
    """A model by catalogue name, folder or hub id, if visitors may name it; ModelError in words."""
    return _model(source, rights())


@st.cache_resource(ttl="1m", max_entries=256, show_spinner=False, hash_funcs={Rights: repr})
def _model(source: str, allowed: Rights) -> Model:  # noqa: ARG001
    named = models.find(source)
    try_apart(named)
    return named


def look_for_models() -> None:
    catalogue.clear()
    _models_known.clear()
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
    path: Path,
    reader: Callable[..., T],
    *arguments: object,
    light: bool = False,
    translate: Callable[[str], str] = str,
) -> T:
    """What a reader returns of a visitor's file, read once until a file at this path changes; InputError in words.

    A large file is read by a process with bounded time and memory; `light`: what it reads is small.
    """
    name = f"{reader.__module__}.{reader.__qualname__}"
    key = (*states(path), repr(getattr(reader, "__self__", None)), repr(arguments))
    if not large(path):
        return kept(name, key, lambda: (listed(reader(*arguments)), 0))

    def make(watch: Watch) -> T:
        return apart.read(reader, *arguments, where=label(path), watch=watch)

    return read_apart(name, key, path, make, light=light, translate=translate)


def states(path: Path) -> tuple[object, ...]:
    """Size and time of every file at a path: another tuple, another data set."""
    if path.is_relative_to(settings().uploads):  # a folder there is named after what it holds
        return str(path), path.exists()
    files = [path, *sorted(path.glob("*"))] if path.exists() else []
    return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files)


def result(run_id: str) -> Run:
    """A finished run; StoreError in words."""
    return _result(run_id, store().manifest(run_id).get("finished", ""))


@remembered("Reading …", 6)
def _result(run_id: str, finished: str) -> Run:  # noqa: ARG001
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


_SMALL_MB = 32
"""Whatever is kept counts as so much at least."""
_CHANGING = threading.Lock()


def read_apart(
    name: str, key: tuple[object, ...], path: Path, make: Callable[[Watch], T], *,
    light: bool = False, doing: str = "", stop: Callable[[], None] | None = None,
    translate: Callable[[str], str] = str,
) -> T:  # fmt: skip
    """What `make` returns, made once for each `key` of this `name` (`kept`); InputError in words.

    `light`: small, however much memory it takes. `stop`: the callback of Cancel, else nothing more is read there.
    """
    progress: dict[str, Any] = {}

    def made(watch: Watch) -> T:
        return make(lambda new: (progress.update(new or {}), watch(new)))

    def with_size() -> tuple[T, int]:
        watched = _watched(f"{name}_{identity.digest(repr(key))}", path, made, doing, stop, translate)
        return watched, 0 if light else progress.get("took", 0)

    with own_place():
        return kept(name, key, with_size)


def kept(name: str, key: tuple[object, ...], make: Callable[[], tuple[T, int]]) -> T:
    """What `make` returns with the megabytes that it takes, made once for each `key` of this `name`.

    All that is kept together takes `reading_memory_mb`; what was not asked for for longest is given up.
    """
    known, whole = _known(), (name, key)
    with _CHANGING:
        if sized := known.pop(whole, None):
            known[whole] = sized
    if not sized:
        value, mb = make()
        sized = value, max(mb, _SMALL_MB)
        with _CHANGING:
            known[whole] = sized
            while len(known) > 1 and sum(each for _, each in known.values()) > settings().reading_memory_mb:
                known.pop(next(iter(known)))
    return cast(T, sized[0])


@st.cache_resource(show_spinner=False)
def _known() -> dict[object, tuple[object, int]]:
    """A cache of Streamlit would replay what was drawn, and knows no memory."""
    return {}


def _watched(
    key: str, path: Path, make: Callable[[Watch], T], doing: str, stop: Callable[[], None] | None,
    translate: Callable[[str], str],
) -> T:  # fmt: skip
    if in_cached_function.get():  # which could not draw it again
        return make(lambda _: None)
    stopped, title = f"stopped_{path}", doing or Message("Reading {file}", file=label(path))
    if st.session_state.get(stopped):
        raise InputError(Message("reading was stopped. To read it after all, reload the page."), label(path))
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        shown = st.progress(0.0, translate(_line(title, {})))
        st.button(
            translate(Message("Cancel")), icon=":material/stop:", key=free_key(f"cancel_{key}"),
            on_click=stop or partial(st.session_state.update, {stopped: True}),
        )  # fmt: skip
    try:
        return make(lambda progress: _draw(shown, title, progress or {}, translate))
    finally:
        place.empty()


def _draw(shown: Any, title: str, progress: dict[str, Any], translate: Callable[[str], str]) -> None:
    """How far the process is. Streamlit ends the script here if the visitor has left or pressed something."""
    shown.progress(progress["done"] / progress["of"] if "of" in progress else 0.0, translate(_line(title, progress)))


def _line(title: str, told: dict[str, Any]) -> Message:
    if "of" in told:
        return Message("{title}: {done} of {of} checks …", title=title, done=told["done"], of=told["of"])
    if "items" in told:
        return Message("{title}: {n:,} items so far …", title=title, n=told["items"])
    return Message("{title} …", title=title)
