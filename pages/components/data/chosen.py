"""A set of items that a visitor looks at: a sample, a public set or a file of theirs, and what reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.models import find
from core.studies.lint import LintReport, Reading, lint_reading, read_experiment, read_items
from core.types import Task
from pages.components.shared.experiment import Experiment


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

    def checked(self, model: str) -> LintReport:
        """The problems found in it; with the tokens of a model, if one is named. PairlensError in words."""
        return lint_reading(self.read(), self.path, find(model) if model else None)
