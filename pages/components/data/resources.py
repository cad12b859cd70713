"""What data sets keep between reruns: their items, problems found in them, and what can read a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from core.runs.readers import readers as readers_of
from core.studies import apart
from core.studies.lint import LintReport, Reading, lint, lint_design, token_counter
from core.types import Item
from pages.components.data.chosen import Chosen
from pages.components.shared import resources
from pages.components.shared.read_apart import read_apart

_CHOSEN: dict[str | type, Callable[[Any], object]] = {Chosen: repr}
_READINGS, _REPORTS, _FILES = 3, 12, 64
"""So many small sets, their reports, and answers to what can read a file, are kept."""
_AT_ONCE = 5_000
"""Larger sets are looked at when somebody asks for it, in a process of its own."""


def reading(chosen: Chosen) -> Reading:
    """What could be read of a set and what not, read again when a file of it changes; InputError in words."""
    states, request = resources.states(chosen.path), _request(chosen)
    if request and "experiment" in request:
        return resources.read_file("experiment", chosen.path, chosen.read, (repr(chosen),), **request)
    if not (request and apart.large(chosen.path)):
        return _reading(chosen, states)
    return read_apart(
        "reading", (repr(chosen), states), chosen.path, lambda watch: apart.reading(request, chosen.path, watch)
    )


def _request(chosen: Chosen) -> dict[str, Any] | None:
    """What reads a set, as a process of its own is told; None if it cannot be."""
    if chosen.experiment:
        source = chosen.experiment.source
        return {"experiment": {"columns": asdict(chosen.experiment.columns), "layout": asdict(source.layout)}}
    return {"task": named} if chosen.task and (named := apart.named(chosen.task)) else None


@st.cache_resource(max_entries=_READINGS, show_spinner=False, hash_funcs=_CHOSEN)
def _reading(chosen: Chosen, states: tuple[object, ...]) -> Reading:  # noqa: ARG001
    return chosen.read()


def n_items(chosen: Chosen) -> int:
    """How many items a small set has; InputError in words."""
    if apart.large(chosen.path):
        return len(reading(chosen).items)
    return _n_items(chosen, resources.states(chosen.path))


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=_CHOSEN)
def _n_items(chosen: Chosen, states: tuple[object, ...]) -> int:  # noqa: ARG001
    return len(chosen.read().items)


def at_once(chosen: Chosen, items: Sequence[Item]) -> bool:
    """Whether a set is so small that looking for problems takes hardly a second."""
    return len(items) <= _AT_ONCE and not apart.large(chosen.path)


def linted(
    chosen: Chosen, items: Sequence[Item], model_name: str, doing: str, stop: Callable[[], None]
) -> LintReport:
    """The problems found in a set; with the tokens of a model, if one is named. PairlensError in words.

    For a set that is not small, how far it is is drawn, with what is being done, and a button that calls `stop`.
    """
    states, request = resources.states(chosen.path), _request(chosen)
    if request is None or at_once(chosen, items):
        return _linted(chosen, states, model_name)
    return read_apart(
        "report", (repr(chosen), states, model_name), chosen.path,
        lambda watch: apart.checked(request, chosen.path, model_name, watch), light=True, doing=doing, stop=stop,
    )  # fmt: skip


@st.cache_resource(max_entries=_REPORTS, show_spinner=False, hash_funcs=_CHOSEN)
def _linted(chosen: Chosen, states: tuple[object, ...], model_name: str) -> LintReport:
    counter = token_counter(resources.model(model_name)) if model_name else None
    read = _reading(chosen, states)
    if read.design:
        return lint_design(read.design, counter=counter, mistakes=read.mistakes)
    return lint(read.items, counter=counter, source=chosen.path, rows=read.rows, mistakes=read.mistakes)


def readers(path: Path) -> list[str]:
    """The tasks that can read a file, the likeliest first (`core.runs.readers`); InputError if it takes too long."""
    if apart.large(path):
        return read_apart(
            "readers", resources.states(path), path, lambda watch: apart.readers(path, watch), light=True
        )
    return _readers(path, resources.states(path))


@st.cache_resource(max_entries=_FILES, show_spinner="Looking into the file …")
def _readers(path: Path, states: tuple[object, ...]) -> list[str]:  # noqa: ARG001
    return readers_of(path)
