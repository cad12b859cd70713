"""A set of items that a visitor looks at: a sample, a public set or a file of theirs; and what was read of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pages.components.shared import resources
from pages.components.shared.datasets import PATH, SAMPLE, UPLOAD
from pages.components.shared.experiment import Experiment
from pages.components.shared.notices import counted
from pages.components.shared.resources import kept, read_apart
from pairlens.files import apart
from pairlens.files.tables import label, large
from pairlens.models import find
from pairlens.studies.lint.running import LintReport, Reading, lint_reading, read_experiment, read_items
from pairlens.studies.opening import OWN_PAGES, benchmark_link
from pairlens.types import Item, Task

BENCHMARKS, EXPERIMENTS = "pages/zero_shot.py", "pages/minimal_pairs.py"
AGREEMENT, STEREOTYPES, ENTAILMENT = "pages/agreement.py", "pages/stereoset.py", "pages/nli.py"
PAGES = {
    AGREEMENT: "Agreement", BENCHMARKS: "Benchmarks", ENTAILMENT: "Entailment", EXPERIMENTS: "Your experiment",
    STEREOTYPES: "Stereotypes",
}  # fmt: skip
_OWN = {task: f"pages/{page}.py" for task, page in OWN_PAGES.items()}
_AT_ONCE = 5_000
"""Larger sets are looked at when somebody asks for it, in a process of its own."""


@dataclass(frozen=True)
class Chosen:
    """What is at `path`, read by a `task` or as an `experiment`: one of them is given.

    `title` is empty where it stands above already. `links` are the query parameters that open it, by page.
    """

    title: str
    path: Path
    task: Task | None = None
    experiment: Experiment | None = None
    links: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def noun(self) -> str:
        return self.task.noun if self.task else "pair"

    @property
    def groups(self) -> tuple[str, ...]:
        return self.experiment.columns.conditions if self.experiment else self.task.groups if self.task else ()

    @property
    def confidential(self) -> bool:
        return self.task is not None and self.task.confidential

    def read(self) -> Reading:
        """The items, and the rows that cannot be read; InputError in words if none can."""
        if self.experiment:
            return read_experiment(self.experiment.read)
        return read_items(self.task.read if self.task else lambda _: (), self.path)

    def checked(self, model: str) -> LintReport:
        """The problems found in it; with the tokens of a model, if one is named. PairlensError in words."""
        return lint_reading(self.read(), self.path, find(model) if model else None)


def links_to(task: Task, source: str, value: str = "") -> dict[str, dict[str, str]]:
    """The page where models are asked about a set of a task, and the link that opens it there; none without a page.

    `source` is a sample, `UPLOAD`, `PATH` or the title of a public set; `value` is the id of a file, or a path.
    """
    if source == UPLOAD:
        opened = benchmark_link(task, value)
        return {f"pages/{opened[0]}.py": opened[1]} if opened else {}
    page = _OWN.get(task.name, BENCHMARKS)
    if page == ENTAILMENT:
        return {page: {"data": "sample"} if source == SAMPLE else {"data": "public", "public": source}}
    more = {"path": value} if source == PATH else {}
    if page != BENCHMARKS:
        return {page: {"data": source, **more}}
    return {} if task.instead else {page: {"task": task.name, "data": source, **more}}


def count_items(chosen: Chosen, items: Sequence[Item]) -> str:
    """`100 pairs`; of an experiment without pairs its sentences."""
    if chosen.experiment and not items and (design := reading(chosen).design):
        return counted(len(design.sentences), "sentence")
    return counted(len(items), chosen.noun)


def reading(chosen: Chosen) -> Reading:
    """What could be read of a set and what not, read again when a file of it changes; InputError in words."""
    return resources.read_file(chosen.path, chosen.read)


def at_once(chosen: Chosen, items: Sequence[Item]) -> bool:
    """Whether a set is so small that looking for problems takes hardly a second."""
    return len(items) <= _AT_ONCE and not large(chosen.path)


def linted(
    chosen: Chosen, items: Sequence[Item], model_name: str, doing: str, stop: Callable[[], None]
) -> LintReport:
    """The problems in a set, with a model's tokens if one is named; how far it is, and Cancel, are drawn."""
    key = repr(chosen), resources.states(chosen.path), model_name
    if at_once(chosen, items):
        model = resources.model(model_name) if model_name else None
        return kept("report", key, lambda: (lint_reading(reading(chosen), chosen.path, model), 0))
    return read_apart(
        "report", key, chosen.path,
        lambda watch: apart.read(chosen.checked, model_name, where=label(chosen.path), watch=watch),
        light=True, doing=doing, stop=stop,
    )  # fmt: skip
