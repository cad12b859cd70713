"""What data sets keep between reruns: their items, problems found in them, and what can read a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.files import apart
from core.files.tables import label, large
from core.runs.readers import readers as readers_of
from core.studies.lint import LintReport, Reading, lint_reading
from core.types import Item
from pages.components.data.chosen import Chosen
from pages.components.shared import resources
from pages.components.shared.read_apart import kept, read_apart

_AT_ONCE = 5_000
"""Larger sets are looked at when somebody asks for it, in a process of its own."""


def reading(chosen: Chosen) -> Reading:
    """What could be read of a set and what not, read again when a file of it changes; InputError in words."""
    return resources.read_file(chosen.path, chosen.read)


def at_once(chosen: Chosen, items: Sequence[Item]) -> bool:
    """Whether a set is so small that looking for problems takes hardly a second."""
    return len(items) <= _AT_ONCE and not large(chosen.path)


def linted(
    chosen: Chosen, items: Sequence[Item], model_name: str, doing: str, stop: Callable[[], None]
) -> LintReport:
    """The problems found in a set; with the tokens of a model, if one is named. PairlensError in words.

    For a set that is not small, how far it is is drawn, with what is being done, and a button that calls `stop`.
    """
    key = repr(chosen), resources.states(chosen.path), model_name
    if at_once(chosen, items):
        model = resources.model(model_name) if model_name else None
        return kept("report", key, lambda: (lint_reading(reading(chosen), chosen.path, model), 0))
    return read_apart(
        "report", key, chosen.path,
        lambda watch: apart.read(chosen.checked, model_name, where=label(chosen.path), watch=watch),
        light=True, doing=doing, stop=stop,
    )  # fmt: skip


def readers(path: Path) -> list[str]:
    """The tasks that can read a file, the likeliest first (`core.runs.readers`); InputError if it takes too long."""
    return resources.read_file(path, readers_of, path, light=True)
