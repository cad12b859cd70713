"""A set of items that a visitor looks at: a sample, a public set or a file of theirs; and what was read of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from core.runs.readers import readers as readers_of
from core.studies import apart
from core.studies.lint import LintReport, Reading, lint, lint_design, read_experiment, read_items, token_counter
from core.types import Item, Task
from pages.components.shared import resources
from pages.components.shared.experiment import Experiment
from pages.components.shared.notices import counted
from pages.components.shared.read_apart import read_apart

_READINGS, _REPORTS, _FILES = 3, 12, 64
"""So many small sets, their reports, and answers to what can read a file, are kept."""
_AT_ONCE = 5_000
"""Larger sets are looked at when somebody asks for it, in a process of its own."""


@dataclass(frozen=True)
class Chosen:
    """What is at `path`, read by a `task` or as an `experiment`: one of them is given.

    `title` is empty where it stands above already. `benchmark` and `in_experiment` are the query parameters that open
    it on those pages; empty if they cannot.
    """

    title: str
    path: Path
    task: Task | None = None
    experiment: Experiment | None = None
    benchmark: Mapping[str, str] = field(default_factory=dict)
    in_experiment: Mapping[str, str] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        """What one item is called."""
        return self.task.noun if self.task else "pair"

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that matter most, the main one first."""
        if self.experiment:
            return self.experiment.columns.conditions
        return self.task.groups if self.task else ()

    @property
    def confidential(self) -> bool:
        """Whether its texts must not be shown or passed on."""
        return self.task is not None and self.task.confidential

    def read(self) -> Reading:
        """The items, and the rows that cannot be read; InputError in words if none can."""
        if self.experiment:
            return read_experiment(self.experiment.read)
        return read_items(self.task.read if self.task else lambda _: (), self.path)


def count_items(chosen: Chosen, items: Sequence[Item]) -> str:
    """`100 pairs`; of an experiment without pairs its sentences."""
    if chosen.experiment and not items and (design := reading(chosen).design):
        return counted(len(design.sentences), "sentence")
    return counted(len(items), chosen.noun)


_CHOSEN: dict[str | type, Callable[[Any], object]] = {
    Chosen: lambda chosen: (repr(chosen), resources.states(chosen.path))
}


def reading(chosen: Chosen) -> Reading:
    """What could be read of a set and what not, read again when a file of it changes; InputError in words."""
    request = _request(chosen)
    if request and "experiment" in request:
        return resources.read_file("experiment", chosen.path, chosen.read, (repr(chosen),), **request)
    if not (request and apart.large(chosen.path)):
        return _reading(chosen)
    return read_apart(
        "reading",
        (repr(chosen), resources.states(chosen.path)),
        chosen.path,
        lambda watch: apart.reading(request, chosen.path, watch),
    )


def _request(chosen: Chosen) -> dict[str, Any] | None:
    """What reads a set, as a process of its own is told; None if it cannot be."""
    if chosen.experiment:
        source = chosen.experiment.source
        return {"experiment": {"columns": asdict(chosen.experiment.columns), "layout": asdict(source.layout)}}
    return {"task": named} if chosen.task and (named := apart.named(chosen.task)) else None


@resources.remembered(False, _READINGS, _CHOSEN)
def _reading(chosen: Chosen) -> Reading:
    return chosen.read()


def n_items(chosen: Chosen) -> int:
    """How many items a small set has; InputError in words."""
    if apart.large(chosen.path):
        return len(reading(chosen).items)
    return _n_items(chosen)


@resources.remembered(False, 256, _CHOSEN)
def _n_items(chosen: Chosen) -> int:
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
    request = _request(chosen)
    if request is None or at_once(chosen, items):
        return _linted(chosen, model_name)
    return read_apart(
        "report", (repr(chosen), resources.states(chosen.path), model_name), chosen.path,
        lambda watch: apart.checked(request, chosen.path, model_name, watch), light=True, doing=doing, stop=stop,
    )  # fmt: skip


@resources.remembered(False, _REPORTS, _CHOSEN)
def _linted(chosen: Chosen, model_name: str) -> LintReport:
    counter = token_counter(resources.model(model_name)) if model_name else None
    read = _reading(chosen)
    known: dict[str, Any] = {"mistakes": read.mistakes}
    if counter:
        known |= {"tokenizer": counter.tokens, "window": counter.window, "whole_words": counter.whole_words}
    if read.design:
        return lint_design(read.design, **known)
    return lint(read.items, source=chosen.path, rows=read.rows, **known)


def readers(path: Path) -> list[str]:
    """The tasks that can read a file, the likeliest first (`core.runs.readers`); InputError if it takes too long."""
    if apart.large(path):
        return read_apart(
            "readers", resources.states(path), path, lambda watch: apart.readers(path, watch), light=True
        )
    return _readers(path)


@resources.remembered("Looking into the file …", _FILES)
def _readers(path: Path) -> list[str]:
    return readers_of(path)
