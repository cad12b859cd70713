"""plan.yaml and its cells, a model on a task each: found, checked and estimated before anything is run."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from core.errors import InputError, ModelError, PairlensError, PolicyError, unknown
from core.files.datasets import located
from core.models.resolve import is_folder
from core.policies import preset_for
from core.runs.estimate import estimate
from core.runs.evaluate import data_name
from core.runs.readers import items_of
from core.runs.requests import Plan, plan
from core.runs.zero_shot import meaningless, sample, task_named, usual_rule
from core.scoring.checkpoints import Checkpoint, checkpoints
from core.scoring.model_cache import memory_megabytes
from core.scoring.recipe import Recipe, recipe_of
from core.store import Store
from core.types import Item, Task

_MOST_BYTES = 1_000_000
_KEYS = ("models", "tasks")
_WILD = "*?["


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model, or all models that a pattern of folders matches; `revisions` as of `zero-shot`."""

    model: str
    revisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskEntry:
    """A task on data, by default our sample; `rule`, `preset` and `scorer` are empty for the usual ones."""

    task: str
    data: str = ""
    rule: str = ""
    preset: str = ""
    scorer: str = ""


@dataclass(frozen=True, slots=True)
class PlanFile:
    """What a plan's file says; relative paths in it start from its folder."""

    path: Path
    models: tuple[ModelEntry, ...]
    tasks: tuple[TaskEntry, ...]

    def place(self, name: str) -> Path:
        return self.path.parent / Path(name).expanduser()


def read(path: Path) -> PlanFile:
    """The plan in a file; InputError, with the entry, for anything that is no plan."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError("a plan of more than a megabyte: name models by patterns", str(path))
        content = yaml.safe_load(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError("there is no such file", str(path)) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(f"this is not YAML: {' '.join(str(error).split())}", str(path)) from None
    if not isinstance(content, Mapping) or not content.keys() >= set(_KEYS):
        raise InputError("a plan has 'models:' and 'tasks:', each with a list", str(path))
    for key in content.keys() - set(_KEYS):
        raise InputError(unknown("key of a plan", str(key), _KEYS), str(path))
    models = []
    for entry in _entries(content["models"], "models", ModelEntry, path):
        names = (name.strip() for name in entry.pop("revisions", "").split(","))
        models.append(ModelEntry(**entry, revisions=tuple(filter(None, names))))
    tasks = tuple(TaskEntry(**entry) for entry in _entries(content["tasks"], "tasks", TaskEntry, path))
    return PlanFile(path.resolve(), tuple(models), tasks)


def place_of(path: Path, key: str, number: int) -> str:
    return f"{path}, {key}, entry {number}"


def _entries(entries: object, key: str, kind: type[ModelEntry | TaskEntry], path: Path) -> Iterator[dict[str, Any]]:
    """The entries of a list: the fields of each, which are texts, the first one required and enough.

    InputError, with the entry's place, for an empty list or anything else.
    """
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        raise InputError(f"'{key}:' needs a list with at least one entry", str(path))
    names = [field.name for field in fields(kind)]
    for number, entry in enumerate(entries, start=1):
        where, values = place_of(path, key, number), {names[0]: entry} if isinstance(entry, str) else entry
        if not isinstance(values, Mapping):
            raise InputError(f"expected is a name, or {{{names[0]}: ...}}", where)
        for name, value in values.items():
            if name not in names:
                raise InputError(unknown("field", str(name), names), where)
            if not isinstance(value, str) or not value.strip():
                raise InputError(f"'{name}' should be a text", where)
        if names[0] not in values:
            raise InputError(f"'{names[0]}' is missing", where)
        yield dict(values)


_KEPT = 200_000
"""Items, about a quarter of a gigabyte."""


class DataSets:
    """The items of data sets, each read once as long as they are few enough to be kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Path], Sequence[Item]] = {}

    def items(self, task: Task, data: Path) -> Sequence[Item]:
        """The task's items; errors as in `core.runs.readers.items_of`."""
        if items_read := self._kept.get((task.name, data)):
            return items_read
        items = [*items_of(task, data)]
        if len(items) + sum(map(len, self._kept.values())) <= _KEPT:
            self._kept[task.name, data] = items
        return items


@dataclass(frozen=True, slots=True)
class Cell:
    """One model on one task. `refused` says why it cannot be run; it then has no recipe.

    `source` is what `core.models.find` takes, `data` a path. `rule` is the task's, `asked` its entry in the plan. If
    the model is a `checkpoint`, one of several, `trained` is the folder or hub id with all of them. Once `needs` has
    looked, it has so many distinct `texts`, of which the store lacks those `missing`.
    """

    model: str
    source: str
    task: Task
    data: Path
    asked: TaskEntry
    rule: str = ""
    recipe: Recipe | None = None
    refused: str = ""
    trained: str = ""
    checkpoint: Checkpoint | None = None
    texts: int = 0
    missing: int = 0

    def planned(self, read: DataSets | None = None) -> Plan:
        if self.recipe is None:
            raise ModelError(self.refused)
        return plan(self.task, (read or DataSets()).items(self.task, self.data), self.recipe, self.rule)


def expand(plan_file: PlanFile) -> list[Cell]:
    """All cells, model by model.

    InputError, with the entry, for a model, task or data set that is not there and a pattern that matches nothing;
    InputError for two models with the same weights, tokenizer and configuration, and for what is listed twice. A
    damaged checkpoint among several, and a model that a task cannot be asked of, make refused cells.
    """
    tasks = []
    for number, task_entry in enumerate(plan_file.tasks, start=1):
        with _at(place_of(plan_file.path, "tasks", number)):
            task = task_named(task_entry.task)
            data = sample(task)
            if task_entry.data:
                place = plan_file.place(task_entry.data)
                data = place if place.exists() else located(Path(task_entry.data))
            if next(items_of(task, data), None) is None:
                raise InputError("there are no items", str(data))
            if task_entry.rule and task_entry.rule not in task.rules:
                raise PolicyError(unknown(f"rule of {task.title}", task_entry.rule, task.rules))
            preset_for(task_entry.preset or "pairlens", task.sets)
            tasks.append((task_entry, task, data))
    models: list[dict[str, Any]] = []
    for number, entry in enumerate(plan_file.models, start=1):
        with _at(place_of(plan_file.path, "models", number)):
            models.extend(_models(entry, plan_file))
    sources = [model["source"] for model in models]
    for number, model in enumerate(models):
        if model["source"] in sources[:number]:
            raise InputError(f"'{model['model']}' is listed twice: leave one out")
    listed = [Cell(**model, task=task, data=data, asked=entry) for model in models for entry, task, data in tasks]
    cells = [*map(_chosen, listed)]
    first: dict[tuple[str, str, Path, str], Cell] = {}
    for cell in cells:
        if cell.recipe is None:
            continue
        twin = first.setdefault((cell.recipe.fingerprint, cell.task.name, cell.data.resolve(), cell.rule), cell)
        if twin.source != cell.source:
            raise InputError(f"'{twin.model}' and '{cell.model}' have the same weights: leave one of them out")
        if twin is not cell:
            raise InputError(f"{cell.task.title} on {data_name(cell.data)} is listed twice: leave one out")
    return cells


@contextmanager
def _at(entry: str) -> Iterator[None]:
    """An error names the entry of the plan where it was made."""
    try:
        yield
    except PairlensError as error:
        raise InputError(error.message, entry) from None


def _models(entry: ModelEntry, plan_file: PlanFile) -> Iterator[dict[str, Any]]:
    """Of each model that an entry stands for, the fields of its cells."""
    is_pattern = not {*_WILD}.isdisjoint(entry.model)
    if not (is_pattern or is_folder(entry.model)):
        yield from _checkpoints(entry.model, entry.model, entry.revisions)
        return
    place = plan_file.place(entry.model)
    matching = Path(place.anchor).glob(str(place.relative_to(place.anchor))) if is_pattern else [place]
    folders = sorted(path for path in matching if path.is_dir())
    if is_pattern and not folders:
        raise InputError(f"no folder matches '{entry.model}'")
    start = plan_file.path.parent
    for folder in folders or [place]:
        name = str(folder.relative_to(start)) if folder.is_relative_to(start) else str(folder)
        yield from _checkpoints(name, str(folder.resolve()), entry.revisions)


def _checkpoints(name: str, source: str, revisions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The model itself, or those of its checkpoints that can be used; the others with the reason.

    Of checkpoints with the same weights, such as the last one and the model itself, there is the first.
    """
    steps, seen = checkpoints(source, revisions), set[str]()
    for step in steps:
        if len(steps) == 1:
            recipe_of(step.source)
            yield {"model": name if step.source == source else f"{name}@{step.name}", "source": step.source}
            continue
        model = {"model": f"{name}@{step.name}", "source": step.source, "trained": source, "checkpoint": step}
        try:
            weights = recipe_of(step.source).model.weights
        except ModelError as damaged:
            yield model | {"refused": str(damaged)}
            continue
        if weights not in seen:
            yield model
        seen.add(weights)


def _chosen(cell: Cell) -> Cell:
    """A cell with the recipe and the rule that its task's entry asks for, or why it has none."""
    if cell.refused:
        return cell
    entry, task = cell.asked, cell.task
    try:
        recipe = recipe_of(cell.source, entry.scorer, preset_for(entry.preset or "pairlens", task.sets))
    except PairlensError as error:
        return replace(cell, refused=str(error))
    rule = entry.rule or usual_rule(task, recipe.kind)
    if reason := meaningless(task, rule, recipe.kind, recipe.policy):
        return replace(cell, refused=reason)
    return replace(cell, rule=rule, recipe=recipe)


_BESIDES = 600
"""Megabytes that a worker takes beside weights, measured: 450 are torch and transformers, the rest a batch of tokens.

A batch takes more where states are wider than GPT-2 medium's, which have 1,024 numbers.
"""


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """What one model of a plan needs: seconds, and megabytes of memory for each worker.

    Workers share the processors, so that their number changes little. `measured`: the seconds rest on a run of these
    weights on this machine.
    """

    model: str
    cells: tuple[Cell, ...]
    seconds: float = 0.0
    megabytes: float = 0.0
    measured: bool = False

    @property
    def missing(self) -> int:
        """Texts to be scored; those that several tasks share are counted for each."""
        return sum(one.missing for one in self.cells)


def needs(cells: Sequence[Cell], store: Store) -> list[ModelNeeds]:
    """What each model of a plan needs. Reads each data set once, and the store's keys; loads no model."""
    needed, read, last = [*cells], DataSets(), None
    for number, cell in sorted(enumerate(cells), key=lambda one: (one[1].task.name, one[1].data)):
        if (cell.task.name, cell.data) != last:
            read, last = DataSets(), (cell.task.name, cell.data)
        if not cell.refused:
            try:
                planned = cell.planned(read)
                needed[number] = replace(cell, texts=len(planned.requests), missing=planned.missing(store))
            except PairlensError as error:
                needed[number] = replace(cell, refused=str(error))
    return [_of_model(name, tuple(group), store) for name, group in groupby(needed, key=lambda one: one.model)]


def _of_model(model: str, cells: tuple[Cell, ...], store: Store) -> ModelNeeds:
    texts: Counter[str] = Counter()
    recipes = {}
    for cell in cells:
        if cell.recipe:
            recipes[cell.recipe.fingerprint] = cell.recipe
            texts[cell.recipe.fingerprint] += cell.missing
    guesses = [estimate(texts[name], recipe, store) for name, recipe in recipes.items() if texts[name]]
    seconds = sum(guess.seconds for guess in guesses)
    measured = bool(guesses) and all(guess.measured for guess in guesses)
    return ModelNeeds(model, cells, seconds, max(map(_megabytes, recipes.values()), default=0.0), measured)


def memory(cells: Sequence[Cell]) -> float:
    """Bytes that a worker needs for the largest model: it holds one at a time."""
    recipes = {cell.recipe.fingerprint: cell.recipe for cell in cells if cell.recipe}
    return max(map(_megabytes, recipes.values()), default=0.0) * 1e6


def _megabytes(recipe: Recipe) -> float:
    return memory_megabytes(recipe) + _BESIDES
