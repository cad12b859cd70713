"""A class on disk, in a folder of its own below `home/classes`, and changed by many threads at once.

A change counts once it is on disk. Changes that come while the disk is busy are written together.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from core.errors import InputError
from core.files.locks import changing
from core.settings import settings
from core.store.files import read_json, write_json
from core.studies.classroom.classroom import Answer, Classroom, restored
from core.studies.lesson import Lesson

_T = TypeVar("_T")
_CONTINUED = 3 * 3600.0
"""Seconds after the last change during which the same command continues a class that has not ended."""
_SERVED = "This class is served already: use that window, or end it first with Ctrl-C."


class Kept:
    """A class that is changed by several threads; what `change` has returned is on disk."""

    def __init__(self, folder: Path, room: Classroom) -> None:
        self.name = folder.name
        self._file, self._room = folder / "class.json", room
        self._lock, self._disk = threading.Lock(), threading.Lock()
        self._changes = self._written = 0

    @property
    def turn(self) -> int:
        """See `Classroom.turn`; read without waiting."""
        return self._room.turn

    def see(self, look: Callable[[Classroom], _T]) -> _T:
        """What `look` makes of the class, while nobody changes it."""
        with self._lock:
            return look(self._room)

    def now(self) -> Classroom:
        """The class as it is now."""
        return self.see(Classroom.copy)

    def change(self, act: Callable[[Classroom], _T]) -> _T:
        """Let `act` change the class and write it down. StoreError if the disk refuses."""
        with self._lock:
            result = act(self._room)
            self._changes += 1
            mine = self._changes
        with self._disk:
            if self._written < mine:
                with self._lock:
                    now, changes = self._room.copy(), self._changes
                write_json(self._file, now.stated())
                self._written = changes
        return result


def begin(lesson: Lesson, model: str, answers: tuple[Answer, ...]) -> str:
    """Write a new class down and return its name."""
    room = Classroom(lesson, model, answers)
    name = f"{room.begun[:19].replace(':', '').replace('T', '-')}-{room.code}"
    write_json(_file(name), room.stated())
    return name


def read(name: str) -> Classroom:
    """A class as it is on disk; InputError if there is none, or it cannot be read."""
    stated = read_json(_file(name))
    if stated is None:
        raise InputError("there is no such class, or its file is damaged", str(_file(name)))
    return restored(stated)


def unfinished(lesson: Lesson, model: str) -> str:
    """The newest class with this lesson and model that was held just now and has not ended; empty if none is."""
    for name, room in classes().items():
        just_now = time.time() - _file(name).stat().st_mtime < _CONTINUED
        if just_now and (room.lesson, room.model, room.ended) == (lesson, model, False):
            return name
    return ""


def classes() -> dict[str, Classroom]:
    """All classes that can be read, by name, newest first."""
    found = {}
    for file in sorted(settings().classes.glob("*/class.json"), reverse=True):
        with suppress(InputError):
            found[file.parent.name] = read(file.parent.name)
    return found


@contextmanager
def opened(name: str) -> Iterator[Kept]:
    """A class to be changed by this process only; StoreError where another one does that."""
    folder = _file(name).parent
    with changing(folder / ".lock", 0.1, _SERVED):
        yield Kept(folder, read(name))


def _file(name: str) -> Path:
    if name != Path(name).name or name.startswith("."):
        raise InputError(f"'{name}' is not the name of a class")
    return settings().classes / name / "class.json"
