"""A plan run to its end: chunks of all cells through an engine, and a run stored for each cell."""

from __future__ import annotations

import os
import platform
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from core import identity
from core.errors import JobError, PairlensError
from core.files.locks import locked
from core.plans.cells import Cell, DataSets, TaskEntry
from core.plans.workers import Chunk, Outcome
from core.rules import RULES
from core.runs.evaluate import Before, Context, data_name, extras_of, tidy
from core.runs.evaluate import run as finish
from core.runs.requests import Plan
from core.runs.sweep import record
from core.scoring.into_store import missing_chunks
from core.settings import settings
from core.store import Store, elsewhere, sweeps
from core.store.files import read_or_set_aside, write_json
from core.store.processes import alive, end, started_at
from core.store.sweeps import Point

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


Engine = Callable[[Iterable[Chunk], str], Iterator[Outcome]]
"""Scores chunks into parts at an address: one outcome for each, in any order; chunks are drawn as needed."""

_NOT_THERE = (
    "The scores of a worker on {machine} are not at {parts}: name a folder that all machines share, or object "
    "storage (--parts)."
)


def run(
    file: Path, cells: Sequence[Cell], store: Store, engine: Engine, parts: str = ""
) -> Iterator[Sequence[CellState]]:
    """Run the cells of the plan in `file`; yields all states after each chunk. JobError if it is running already.

    `parts` is the address where workers leave scores for the store, by default the store itself: see
    `core.store.elsewhere`. What is in either is not scored again, so that a plan that was killed continues when it is
    run again. A cell that fails says why in its state, and the others go on.
    """
    with alone(file):
        recorder = Recorder(file, [_state(cell) for cell in cells])
        recorder.write()
        if parts:
            elsewhere.merge(store, parts, {cell.recipe.fingerprint for cell in cells if cell.recipe})
        running = _Running(cells, store, recorder, parts or str(store.folder))
        try:
            for outcome in engine(running.chunks(), running.parts):
                running.take(outcome)
                yield recorder.cells
            record_sweeps(cells, recorder.cells, store)
            tidy(store)
        except BaseException as error:
            recorder.write(FAILED if isinstance(error, Exception) else "cancelled")
            raise
        recorder.write(FAILED if any(one.state == FAILED for one in recorder.cells) else DONE)
        yield recorder.cells


@dataclass
class _InWork:
    """A cell whose texts are being scored: the chunks it still waits for, and the reasons of texts that cannot be.

    `scored` and `seconds` are those of its own chunks, not of those that it shares with an earlier cell.
    """

    planned: Plan
    waits: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    drawn: bool = False
    scored: int = 0
    seconds: float = 0.0


class _Out(NamedTuple):
    """A chunk in work: its fingerprint, its number of texts, and the cell that counts its seconds."""

    fingerprint: str
    texts: int
    owner: int


class _Running:
    """The cells of a running plan. Those of one model follow one another, and share the texts they have in common."""

    def __init__(self, cells: Sequence[Cell], store: Store, recorder: Recorder, parts: str) -> None:
        self.parts = parts
        self._cells = cells
        self._store = store
        self._recorder = recorder
        self._in_work: dict[int, _InWork] = {}
        self._handed: dict[str, dict[str, str]] = {}
        """What has been handed out of the current model: chunk ids by request, by what is asked of it."""
        self._out: dict[str, _Out] = {}
        """The chunks in work, by id."""
        self._read = DataSets()

    def chunks(self) -> Iterator[Chunk]:
        """The chunks of all cells; a cell is planned when its turn comes, and finished here if nothing is missing."""
        model = ""
        for number, cell in enumerate(self._cells):
            if cell.source != model:
                model = cell.source
                self._handed.clear()
            if not cell.refused:
                yield from self._chunks_of(number, cell)

    def take(self, outcome: Outcome) -> None:
        """Note what became of a chunk, and finish the cells that waited for no other."""
        out = self._out.pop(outcome.chunk_id)
        if outcome.part and not elsewhere.take(self._store, self.parts, out.fingerprint, outcome.part):
            outcome = replace(outcome, error=_NOT_THERE.format(machine=outcome.machine, parts=self.parts))
        for number, one in [*self._in_work.items()]:
            if outcome.chunk_id not in one.waits:
                continue
            one.waits.remove(outcome.chunk_id)
            one.refused |= {key: why for key, why in outcome.refused.items() if key in one.planned.requests}
            if number == out.owner and outcome.machine == platform.node():
                one.scored += outcome.scored
                one.seconds += outcome.seconds
            state = self._recorder.cells[number]
            self._set(number, done=min(state.total, state.done + out.texts))
            if outcome.error:
                self._set(number, state=FAILED, reason=outcome.error)
            self._finish(number)
        self._recorder.write()

    def _chunks_of(self, number: int, cell: Cell) -> Iterator[Chunk]:
        try:
            planned = cell.planned(self._read)
        except PairlensError as error:
            self._set(number, state=FAILED, reason=str(error))
            return
        recipe, extras, tokens = planned.recipe, extras_of(planned), not planned.task.confidential
        by_token = RULES[planned.rule].shared
        known = self._store.known(
            recipe.fingerprint, boundary=extras.boundary, by_token=by_token, keys=planned.requests
        )
        n = len(planned.requests)
        self._set(number, state=RUNNING, total=n, done=len(known), reused=len(known))
        handed = self._handed.setdefault(f"{recipe.fingerprint} {extras.boundary} {tokens}", {})
        one = self._in_work[number] = _InWork(planned)
        one.waits = {handed[key] for key in planned.requests.keys() & handed.keys() if handed[key] in self._out}
        for wanted in missing_chunks(planned.requests, known | handed.keys()):
            if self._recorder.cells[number].state == FAILED:  # the rest would fail for the same reason
                break
            chunk = Chunk(
                cell.source, recipe.kind.name, recipe.policy, recipe.fingerprint, wanted, extras.boundary, tokens
            )
            handed.update(dict.fromkeys(wanted, chunk.id))
            self._out[chunk.id] = _Out(recipe.fingerprint, len(wanted), number)
            one.waits.add(chunk.id)
            yield chunk
        one.drawn = True
        self._finish(number)

    def _finish(self, number: int) -> None:
        """Store the run of a cell all of whose texts are scored."""
        one = self._in_work.get(number)
        if one is None or one.waits or not one.drawn:
            return
        del self._in_work[number]
        if self._recorder.cells[number].state == FAILED:
            return
        before = Before(one.scored, one.seconds, one.refused)
        context = Context(self._store, data_name(self._cells[number].data), before=before, last=False)
        try:
            for _ in finish(one.planned, context):
                continue
        except PairlensError as error:
            self._set(number, state=FAILED, reason=str(error))
            return
        left_out = len(self._store.manifest(one.planned.run_id)["refused"])
        reason = f"{left_out:,} items left out" if left_out else ""
        self._set(number, state=DONE, done=len(one.planned.requests), run_id=one.planned.run_id, reason=reason)

    def _set(self, number: int, **changes: object) -> None:
        self._recorder.cells[number] = replace(self._recorder.cells[number], **changes)  # type: ignore[arg-type]


def _state(cell: Cell) -> CellState:
    state = CellState(cell.model, cell.task.name, data_name(cell.data))
    return replace(state, state=FAILED, reason=cell.refused) if cell.refused else state


def record_sweeps(cells: Sequence[Cell], states: Sequence[CellState], store: Store) -> None:
    """Store the sweeps of all models with several checkpoints, one for each task; StoreError as when writing one."""
    curves: defaultdict[tuple[str, TaskEntry], dict[Point, str]] = defaultdict(dict)
    for cell, state in zip(cells, states, strict=True):
        if cell.checkpoint:
            curves[cell.trained, cell.asked][_point(cell, state)] = state.run_id
    for (trained, _), points in curves.items():
        if runs := [run_id for run_id in points.values() if run_id]:
            record(store, trained, tuple(points), runs[-1])


def _point(cell: Cell, state: CellState) -> Point:
    step = cell.checkpoint
    assert step is not None
    point = Point(step.name, step.words, step.unit, assumed=step.assumed)
    if state.state == DONE and cell.recipe:
        return replace(point, weights=cell.recipe.model.weights, run_id=state.run_id, state=sweeps.DONE)
    return replace(point, state=sweeps.REFUSED, reason=cell.refused) if cell.refused else point
