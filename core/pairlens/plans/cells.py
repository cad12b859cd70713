"""plan.yaml and its cells, a model on a task each: found, checked and estimated before anything is run."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from pairlens.errors import InputError, ModelError, PairlensError, PolicyError, unknown
from pairlens.evaluation.estimate import estimate
from pairlens.evaluation.evaluate import data_name
from pairlens.evaluation.readers import items_of
from pairlens.evaluation.requests import Plan, plan
from pairlens.evaluation.zero_shot import meaningless, sample, task_named, usual_rule
from pairlens.files.datasets import located
from pairlens.models import gguf
from pairlens.models.resolve import is_folder
from pairlens.policies import preset_for
from pairlens.scoring.checkpoints import Checkpoint, checkpoints
from pairlens.scoring.model_cache import memory_megabytes
from pairlens.scoring.recipe import Recipe, recipe_of
from pairlens.store import Store
from pairlens.types import Item, Task

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


def _entries(entries: object, key: str, kind: type[ModelEntry | TaskEntry], path: Path) -> Iterator[dict[str, Any]]:
    """The fields of each entry, which are texts, the first one required; InputError with the entry's place."""
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        raise InputError(f"'{key}:' needs a list with at least one entry", str(path))
    names = [field.name for field in fields(kind)]
    for number, entry in enumerate(entries, start=1):
        values = {names[0]: entry} if isinstance(entry, str) else entry
        with _at(path, key, number):
            if not isinstance(values, Mapping):
                raise InputError(f"expected is a name, or {{{names[0]}: ...}}")
            for name, value in values.items():
                if name not in names:
                    raise InputError(unknown("field", str(name), names))
                if not isinstance(value, str) or not value.strip():
                    raise InputError(f"'{name}' should be a text")
            if names[0] not in values:
                raise InputError(f"'{names[0]}' is missing")
        yield dict(values)


_KEPT = 200_000
"""Items, about a quarter of a gigabyte."""


class DataSets:
    """The items of data sets, each read once as long as they are few enough to be kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, Path], Sequence[Item]] = {}

    def items(self, task: Task, data: Path) -> Sequence[Item]:
        """The task's items; errors as in `pairlens.evaluation.readers.items_of`."""
        items = self._kept.get((task.name, data)) or [*items_of(task, data)]
        if len(items) + sum(map(len, self._kept.values())) <= _KEPT:
            self._kept[task.name, data] = items
        return items


@dataclass(frozen=True, slots=True)
class Cell:
    """One model on one task. `refused` says why it cannot be run; it then has no recipe.

    `source` is what `pairlens.models.find` takes, `rule` the task's, `asked` its entry in the plan. If the model is a
    `checkpoint`, one of several, `trained` is the folder or hub id with all of them. Once `needs` has looked, it has
    so many distinct `texts`, of which the store lacks those `missing`.
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
    """All cells, model by model; refused where a checkpoint is damaged or a model cannot be asked. InputError, with
    the entry, for what is not there, is listed twice, or has the weights of another.
    """
    tasks = []
    for number, task_entry in enumerate(plan_file.tasks, start=1):
        with _at(plan_file.path, "tasks", number):
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
        with _at(plan_file.path, "models", number):
            models.extend(_models(entry, plan_file))
    sources = Counter(model["source"] for model in models)
    if twice := [model["model"] for model in models if sources[model["source"]] > 1]:
        raise InputError(f"'{twice[-1]}' is listed twice: leave one out")
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
def _at(path: Path, key: str, number: int) -> Iterator[None]:
    """An error names the entry of the plan where it was made."""
    try:
        yield
    except PairlensError as error:
        raise InputError(error.message, f"{path}, {key}, entry {number}") from None


def _models(entry: ModelEntry, plan_file: PlanFile) -> Iterator[dict[str, Any]]:
    """Of each model that an entry stands for, the fields of its cells."""
    file, tokenizer = gguf.named(entry.model)
    place, start, folders = plan_file.place(file), plan_file.path.parent, list[Path]()
    if not {*_WILD}.isdisjoint(entry.model):
        matching = Path(place.anchor).glob(str(place.relative_to(place.anchor)))
        if not (folders := sorted(path for path in matching if path.is_dir() or gguf.is_file(path))):
            raise InputError(f"no folder matches '{entry.model}'")
    elif is_folder(entry.model):
        folders = [place]
    else:
        yield from _checkpoints(entry.model, entry.model, entry.revisions)
    after = f"#{plan_file.place(tokenizer) if is_folder(tokenizer) else tokenizer}" if tokenizer else ""
    for folder in folders:
        name = str(folder.relative_to(start)) if folder.is_relative_to(start) else str(folder)
        yield from _checkpoints(name + after, f"{folder.resolve()}{after}", entry.revisions)


def _checkpoints(name: str, source: str, revisions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The model itself, or its checkpoints: each weights once, and those that cannot be used with the reason."""
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
"""Megabytes that a worker takes beside weights, measured: 450 are torch and transformers, the rest a batch."""


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """What a model of a plan needs: seconds (`measured`: by a run of it here), and megabytes for each worker."""

    model: str
    cells: tuple[Cell, ...]
    seconds: float = 0.0
    megabytes: float = 0.0
    measured: bool = False

    @property
    def missing(self) -> int:
        """Texts to be scored; those that several tasks share are counted for each."""
        return sum(cell.missing for cell in self.cells)


def needs(cells: Sequence[Cell], store: Store) -> list[ModelNeeds]:
    """What each model of a plan needs. Reads each data set once, and the store's keys; loads no model."""
    needed = [*cells]
    by_data = sorted(enumerate(cells), key=lambda one: (one[1].task.name, one[1].data))
    for _, group in groupby(by_data, key=lambda one: (one[1].task.name, one[1].data)):
        read = DataSets()
        for number, cell in group:
            if not cell.refused:
                try:
                    planned = cell.planned(read)
                    needed[number] = replace(cell, texts=len(planned.requests), missing=planned.missing(store))
                except PairlensError as error:
                    needed[number] = replace(cell, refused=str(error))
    return [_of_model(name, tuple(group), store) for name, group in groupby(needed, key=lambda one: one.model)]


def _of_model(model: str, cells: tuple[Cell, ...], store: Store) -> ModelNeeds:
    texts: Counter[str] = Counter()
    for cell in cells:
        if cell.recipe:
            texts[cell.recipe.fingerprint] += cell.missing
    guesses = [estimate(texts[name], recipe, store) for name, recipe in _recipes(cells).items() if texts[name]]
    seconds = sum(guess.seconds for guess in guesses)
    measured = bool(guesses) and all(guess.measured for guess in guesses)
    return ModelNeeds(model, cells, seconds, memory(cells) / 1e6, measured)


def memory(cells: Sequence[Cell]) -> float:
    """Bytes that a worker needs for the largest model: it holds one at a time."""
    recipes = _recipes(cells).values()
    return max((memory_megabytes(recipe) + _BESIDES for recipe in recipes), default=0.0) * 1e6


def _recipes(cells: Sequence[Cell]) -> dict[str, Recipe]:
    return {cell.recipe.fingerprint: cell.recipe for cell in cells if cell.recipe}
