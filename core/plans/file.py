"""plan.yaml: the models and tasks whose product is wanted, in the nouns of the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from core.errors import InputError, unknown

_MOST_BYTES = 1_000_000
_KEYS = ("models", "tasks")
_WILD = "*?["


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """A model, or all models that a pattern of folders matches; `revisions` and `words` as of `zero-shot`."""

    model: str
    revisions: tuple[str, ...] = ()

    @property
    def is_pattern(self) -> bool:
        """Whether it stands for folders by a pattern."""
        return any(sign in self.model for sign in _WILD)


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
        """A path as the file means it."""
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
    models = tuple(_models(content["models"], path))
    return PlanFile(path.resolve(), models, tuple(_tasks(content["tasks"], path)))


def _models(entries: object, path: Path) -> Iterator[ModelEntry]:
    for where, entry in _entries(entries, "models", path):
        named = {"model": entry} if isinstance(entry, str) else entry
        values = _texts(named, ModelEntry, where)
        revisions = tuple(name.strip() for name in values.pop("revisions", "").split(",") if name.strip())
        yield ModelEntry(**values, revisions=revisions)


def _tasks(entries: object, path: Path) -> Iterator[TaskEntry]:
    for where, entry in _entries(entries, "tasks", path):
        yield TaskEntry(**_texts({"task": entry} if isinstance(entry, str) else entry, TaskEntry, where))


def _entries(entries: object, key: str, path: Path) -> Iterator[tuple[str, object]]:
    """The entries of a list, each with its place; InputError for an empty list, or anything else."""
    if not isinstance(entries, Sequence) or isinstance(entries, str) or not entries:
        raise InputError(f"'{key}:' needs a list with at least one entry", str(path))
    for number, entry in enumerate(entries, start=1):
        yield place_of(path, key, number), entry


def place_of(path: Path, key: str, number: int) -> str:
    """An entry of a plan, as errors name it."""
    return f"{path}, {key}, entry {number}"


def _texts(entry: object, kind: type[ModelEntry | TaskEntry], where: str) -> dict[str, Any]:
    """An entry's fields, which are texts; the first is required."""
    names = [field.name for field in fields(kind)]
    if not isinstance(entry, Mapping):
        raise InputError(f"expected is a name, or {{{names[0]}: ...}}", where)
    for name, value in entry.items():
        if name not in names:
            raise InputError(unknown("field", str(name), names), where)
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"'{name}' should be a text", where)
    if names[0] not in entry:
        raise InputError(f"'{names[0]}' is missing", where)
    return dict(entry)
