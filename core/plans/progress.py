"""The record of a plan's last run: each cell's state, for whoever watches it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from core import identity
from core.errors import JobError
from core.files.locks import locked
from core.settings import settings
from core.store.files import read_or_set_aside, write_json
from core.store.processes import alive, end, started_at

WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
_EVERY = 1.0
"""Seconds between two records."""
_PATIENCE = 10.0
"""Seconds until a process that does not end is killed."""


@dataclass(frozen=True, slots=True)
class CellState:
    """A cell in a plan's record: `done` of `total` texts, of which `reused` were stored before.

    `reason` says why it failed, or how many items its run leaves out.
    """

    model: str
    task: str
    data: str
    state: str = WAITING
    total: int = 0
    done: int = 0
    reused: int = 0
    reason: str = ""
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """A plan's last run. `state`: running, done, failed (in part), cancelled, or lost (its process was killed)."""

    file: str
    state: str
    pid: int
    seconds: float
    cells: tuple[CellState, ...]


def folder_of(file: Path) -> Path:
    """Where the record of the plan in this file is kept."""
    place = file.resolve()
    return settings().plans / f"{place.stem}-{identity.digest(str(place))[:10]}"


def record_of(file: Path) -> PlanRecord | None:
    """The plan's record; None if it has never run here."""
    return _record(folder_of(file))


def records() -> list[PlanRecord]:
    """The records of all plans that ran here."""
    every = map(_record, sorted((settings().plans).glob("*/")))
    return [one for one in every if one is not None]


def cancel(file: Path) -> PlanRecord:
    """End a running plan and, with it, its workers; its scores stay. JobError if it does not run."""
    one = record_of(file)
    if one is None or one.state != RUNNING:
        raise JobError(f"The plan {file} does not run.")
    end(one.pid, _PATIENCE)
    folder = folder_of(file)
    state = {**(read_or_set_aside(folder / "plan.json") or {}), "state": "cancelled"}
    write_json(folder / "plan.json", state)  # after its end, or it would write its own
    return _record(folder) or one


class Recorder:
    """Writes the record of a running plan, once a second and at its end."""

    def __init__(self, file: Path, cells: Sequence[CellState]) -> None:
        self._folder = folder_of(file)
        self._file = file
        self._began = time.monotonic()
        self._written = 0.0
        self.cells = [*cells]

    def write(self, state: str = RUNNING) -> None:
        """Write it, if that has not just been done or this is the end."""
        now = time.monotonic()
        if state == RUNNING and now - self._written < _EVERY:
            return
        self._written = now
        about = {
            "file": str(self._file.resolve()), "state": state, "pid": os.getpid(), "began": started_at(os.getpid()),
            "seconds": now - self._began, "cells": [asdict(one) for one in self.cells],
        }  # fmt: skip
        write_json(self._folder / "plan.json", about)


def alone(file: Path) -> AbstractContextManager[None]:
    """Nobody else runs this plan meanwhile; JobError if somebody does."""
    return locked(folder_of(file) / ".lock", 0, JobError(f"The plan {file} runs already: see `plan status`."))


def _record(folder: Path) -> PlanRecord | None:
    known = read_or_set_aside(folder / "plan.json")
    if known is None:
        return None
    state = known["state"]
    if state == RUNNING and not alive(known["pid"], known["began"]):
        state = "lost"
    cells = tuple(CellState(**cell) for cell in known["cells"])
    if state != RUNNING:
        cells = tuple(replace(cell, state=WAITING) if cell.state == RUNNING else cell for cell in cells)
    return PlanRecord(known["file"], state, known["pid"], known["seconds"], cells)
