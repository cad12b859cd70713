"""The lessons that ship, from `data/lessons`, and what the bundled models really do on their items."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.errors import InputError, unknown
from core.settings import ROOT
from core.studies.lesson.lesson import Lesson
from core.studies.lesson.reading import read

FOLDER = ROOT / "data" / "lessons"
MEASURED = "measured.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """A model's answer to a step: what it chose, by how many bits, whether that is expected (None: nothing is)."""

    chosen: str
    bits: float | None
    right: bool | None


SKIPPED = Measured("", None, None)
"""A beginning and a model that does not read from left to right."""


def names() -> list[str]:
    """What links and files call the lessons, in the order of their menu."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@lru_cache(maxsize=16)
def shipped(name: str) -> Lesson:
    """A lesson that ships; InputError, with all of them, for an unknown name."""
    if name not in names():
        raise InputError(unknown("lesson", name, names()))
    return read(FOLDER / f"{name}.toml")


def file_of(given: str) -> Path:
    """The file of a lesson: as given, or one that ships; InputError for neither."""
    if (path := Path(given)).is_file():
        return path
    if given in names():
        return FOLDER / f"{given}.toml"
    if path.suffix:
        raise InputError("there is no such file", given)
    if not given:
        raise InputError("name a lesson: " + ", ".join(["a .toml", "a table of pairs", *names()]))
    raise InputError(unknown("lesson", given, names()))


def measured(name: str, folder: Path = FOLDER) -> Mapping[str, tuple[Measured, ...]]:
    """By bundled model, its answers to the steps of a lesson that ships; empty where nothing was measured."""
    path = folder / MEASURED
    by_lesson = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {model: tuple(Measured(**one) for one in found) for model, found in by_lesson.get(name, {}).items()}
