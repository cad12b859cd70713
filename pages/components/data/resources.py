"""What data sets keep between reruns: their items, problems found in them, and what can read a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from core.runs.readers import readers as readers_of
from core.studies.lint import LintReport, Reading, lint, lint_design, token_counter
from pages.components.data.chosen import Chosen
from pages.components.shared import resources

_CHOSEN: dict[str | type, Callable[[Any], object]] = {Chosen: repr}
_REPORTS = 11
"""So many reports are kept beside the newest."""


def reading(chosen: Chosen) -> Reading:
    """What could be read of a set and what not, read again when a file of it changes; InputError in words."""
    return _reading(chosen, resources.states(chosen.path))


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs=_CHOSEN)
def _reading(chosen: Chosen, states: tuple[object, ...]) -> Reading:  # noqa: ARG001
    return chosen.read()


def n_items(chosen: Chosen) -> int:
    """How many items a small set has; InputError in words."""
    return _n_items(chosen, resources.states(chosen.path))


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=_CHOSEN)
def _n_items(chosen: Chosen, states: tuple[object, ...]) -> int:  # noqa: ARG001
    return len(chosen.read().items)


def linted(chosen: Chosen, model_name: str, looked: Callable[[int, int], object] | None = None) -> LintReport:
    """The problems found in a set; with the tokens of a model, if one is named. PairlensError in words.

    `looked` is told how many of how many checks are done; if it raises, nothing is kept.
    """
    known, key = _reports(), (repr(chosen), resources.states(chosen.path), model_name)
    if key not in known:
        report = _lint(chosen, model_name, looked)  # drawing while it goes on is nothing that a cache may replay
        for oldest in [*known][: max(0, len(known) - _REPORTS)]:
            known.pop(oldest, None)
        known[key] = report
    return known[key]


@st.cache_resource
def _reports() -> dict[object, LintReport]:
    return {}


def _lint(chosen: Chosen, model_name: str, looked: Callable[[int, int], object] | None) -> LintReport:
    counter = token_counter(resources.model(model_name)) if model_name else None
    read = reading(chosen)
    known: dict[str, Any] = {"mistakes": read.mistakes, "looked": looked}
    if counter:
        known |= {"tokenizer": counter.tokens, "window": counter.window, "whole_words": counter.whole_words}
    if read.design:
        return lint_design(read.design, **known)
    return lint(read.items, source=chosen.path, rows=read.rows, **known)


def readers(path: Path) -> list[str]:
    """The tasks that can read a file, the likeliest first (`core.runs.readers`)."""
    return _readers(path, resources.states(path))


@st.cache_resource(max_entries=64, show_spinner="Looking into the file …")
def _readers(path: Path, states: tuple[object, ...]) -> list[str]:  # noqa: ARG001
    return readers_of(path)
