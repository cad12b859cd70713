"""A plan run to its end: chunks of all cells through an engine, and a run stored for each cell."""

import os
import platform
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pairlens import identity
from pairlens.errors import JobError, PairlensError, interruptible
from pairlens.evaluation.evaluate import Context, data_name, extras_of, tidy
from pairlens.evaluation.evaluate import run as finish
from pairlens.evaluation.requests import Plan
from pairlens.evaluation.sweep import point_of, record
from pairlens.files.locks import locked
from pairlens.plans.cells import Cell, DataSets, TaskEntry
from pairlens.plans.workers import Chunk, Outcome
from pairlens.rules import RULES
from pairlens.scoring.into_store import missing_chunks
from pairlens.settings import settings
from pairlens.store import Store, elsewhere
from pairlens.store.files import read_or_set_aside, write_json
from pairlens.store.processes import alive, end, started_at
from pairlens.store.sweeps import Point

WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"
_EVERY = 1.0
"""Seconds between two records."""
_PATIENCE = 10.0
"""Seconds until a process that does not end is killed."""


@dataclass(slots=True)
class CellState:
    """A cell in a plan's record: `done` of `total` texts, of which `reused` were stored before; `reason`: why it
    failed, or how many items are left out.
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

    def fail(self, reason: str) -> None:
        self.state, self.reason = FAILED, reason


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """A plan's last run. `state`: running, done, failed (in part), cancelled, or lost (its process was killed)."""

    file: str
    state: str
    pid: int
    seconds: float
    cells: tuple[CellState, ...]


def _folder(file: Path) -> Path:
    place = file.resolve()
    return settings().plans / f"{place.stem}-{identity.digest(str(place))[:10]}"


def record_of(file: Path) -> PlanRecord | None:
    return _record(_folder(file))


def _record(folder: Path) -> PlanRecord | None:
    known = read_or_set_aside(folder / "plan.json")
    if known is None:
        return None
    began, state = known.pop("began"), known.pop("state")
    if state == RUNNING and not alive(known["pid"], began):
        state = "lost"
    cells = tuple(CellState(**cell) for cell in known.pop("cells"))
    for cell in cells:
        if cell.state == RUNNING and state != RUNNING:
            cell.state = WAITING
    return PlanRecord(**known, state=state, cells=cells)


def records() -> list[PlanRecord]:
    return [record for record in map(_record, sorted(settings().plans.glob("*/"))) if record]


def cancel(file: Path) -> PlanRecord:
    """End a running plan and, with it, its workers; its scores stay. JobError if it does not run."""
    record = record_of(file)
    if record is None or record.state != RUNNING:
        raise JobError(f"The plan {file} does not run.")
    end(record.pid, _PATIENCE)
    path = _folder(file) / "plan.json"
    write_json(path, {**(read_or_set_aside(path) or {}), "state": "cancelled"})  # it has written its own at its end
    return record_of(file) or record


def alone(file: Path) -> AbstractContextManager[None]:
    """Nobody else runs this plan meanwhile; JobError if somebody does."""
    return locked(_folder(file) / ".lock", 0, JobError(f"The plan {file} runs already: see `plan status`."))


class Recorder:
    """Writes the record of a running plan, once a second and at its end."""

    def __init__(self, file: Path, cells: Sequence[CellState]) -> None:
        self._file, self._cells = file, cells
        self._began, self._written = time.monotonic(), 0.0

    def write(self, state: str = RUNNING) -> None:
        """Write it, if that has not just been done or this is the end."""
        now = time.monotonic()
        if state == RUNNING and now - self._written < _EVERY:
            return
        self._written = now
        about = {
            "file": str(self._file.resolve()), "state": state, "pid": os.getpid(), "began": started_at(os.getpid()),
            "seconds": now - self._began, "cells": [asdict(cell) for cell in self._cells],
        }  # fmt: skip
        write_json(_folder(self._file) / "plan.json", about)


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

    `parts` is the address where workers leave scores (`pairlens.store.elsewhere`), by default the store. What is in
    either is not scored again, so that a plan that was killed continues. A cell that fails says why, and the others
    go on.
    """
    with alone(file):
        states = [CellState(cell.model, cell.task.name, data_name(cell.data)) for cell in cells]
        for cell, state in zip(cells, states, strict=True):
            if cell.refused:
                state.fail(cell.refused)
        recorder = Recorder(file, states)
        recorder.write()
        if parts:
            elsewhere.merge(store, parts, {cell.recipe.fingerprint for cell in cells if cell.recipe})
        running = _Running(store, parts or str(store.folder))
        try:
            with interruptible():
                for outcome in engine(running.chunks(cells, states), running.parts):
                    running.take(outcome)
                    recorder.write()
                    yield states
            _record_sweeps(cells, states, store)
            tidy(store)
        except BaseException as error:
            recorder.write(FAILED if isinstance(error, Exception) else "cancelled")
            raise
        recorder.write(FAILED if any(state.state == FAILED for state in states) else DONE)
        yield states


_DRAWING = ""
"""In the place of a chunk that a cell waits for, until all of its chunks are drawn."""


@dataclass(eq=False)
class _InWork:
    """A cell whose texts are being scored: the chunks it still waits for, reasons of texts that cannot be, and what
    its own chunks took, not those that it shares with an earlier cell.
    """

    cell: Cell
    state: CellState
    planned: Plan
    waits: set[str] = field(default_factory=lambda: {_DRAWING})
    refused: dict[str, str] = field(default_factory=dict)
    scored: int = 0
    seconds: float = 0.0


class _Running:
    """The cells of a running plan. Those of one model follow one another, and share the texts they have in common."""

    def __init__(self, store: Store, parts: str) -> None:
        self.parts = parts
        self._store = store
        self._in_work: list[_InWork] = []
        self._out: dict[str, tuple[Chunk, _InWork]] = {}
        """The chunks in work by id, each with the cell that counts its seconds."""

    def chunks(self, cells: Sequence[Cell], states: Sequence[CellState]) -> Iterator[Chunk]:
        """The chunks of all cells; a cell is planned when its turn comes, and finished here if nothing is missing."""
        read, model = DataSets(), ""
        chunk_of: defaultdict[tuple[str, bool, bool], dict[str, str]] = defaultdict(dict)
        """What has been handed out of the current model: chunk ids by request, by what is asked of it."""
        for cell, state in zip(cells, states, strict=True):
            if cell.source != model:
                model = cell.source
                chunk_of.clear()
            if cell.refused:
                continue
            try:
                work = _InWork(cell, state, cell.planned(read))
            except PairlensError as error:
                state.fail(str(error))
                continue
            self._in_work.append(work)
            boundary, tokens = extras_of(work.planned).boundary, not cell.task.confidential
            lookup = (work.planned.recipe.fingerprint, boundary, tokens)
            yield from self._chunks_of(work, boundary, tokens, chunk_of[lookup])
            work.waits.remove(_DRAWING)
            self._finish(work)

    def _chunks_of(self, work: _InWork, boundary: bool, tokens: bool, chunk_of: dict[str, str]) -> Iterator[Chunk]:
        recipe, requests, state = work.planned.recipe, work.planned.requests, work.state
        by_token = RULES[work.planned.rule].shared
        known = self._store.known(recipe.fingerprint, boundary=boundary, by_token=by_token, keys=requests)
        state.state, state.total, state.done, state.reused = RUNNING, len(requests), len(known), len(known)
        work.waits |= {chunk_of[key] for key in requests.keys() & chunk_of.keys()} & self._out.keys()
        for wanted in missing_chunks(requests, known | chunk_of.keys()):
            if state.state == FAILED:  # the rest would fail for the same reason
                break
            source = work.cell.source
            chunk = Chunk(source, recipe.kind.name, recipe.policy, recipe.fingerprint, wanted, boundary, tokens)
            chunk_of.update(dict.fromkeys(wanted, chunk.id))
            self._out[chunk.id] = chunk, work
            work.waits.add(chunk.id)
            yield chunk

    def take(self, outcome: Outcome) -> None:
        """Note what became of a chunk, and finish the cells that waited for no other."""
        chunk, owner = self._out.pop(outcome.chunk_id)
        error = outcome.error
        if outcome.part and not elsewhere.take(self._store, self.parts, chunk.fingerprint, outcome.part):
            error = _NOT_THERE.format(machine=outcome.machine, parts=self.parts)
        for work in [work for work in self._in_work if chunk.id in work.waits]:
            work.waits.remove(chunk.id)
            work.refused |= {key: why for key, why in outcome.refused.items() if key in work.planned.requests}
            if work is owner and outcome.machine == platform.node():
                work.scored += outcome.scored
                work.seconds += outcome.seconds
            work.state.done = min(work.state.total, work.state.done + len(chunk.requests))
            if error:
                work.state.fail(error)
            self._finish(work)

    def _finish(self, work: _InWork) -> None:
        """Store the run of a cell all of whose texts are scored."""
        if work.waits:
            return
        self._in_work.remove(work)
        planned, state, data = work.planned, work.state, data_name(work.cell.data)
        if state.state == FAILED:
            return
        done: dict[str, Any] = {"scored": work.scored, "seconds": work.seconds, "refused": work.refused}
        try:
            for _ in finish(planned, Context(self._store, data, last=False, **done)):
                continue
        except PairlensError as error:
            state.fail(str(error))
            return
        left_out = len(self._store.manifest(planned.run_id)["refused"])
        state.reason = f"{left_out:,} items left out" if left_out else ""
        state.state, state.done, state.run_id = DONE, len(planned.requests), planned.run_id


def _record_sweeps(cells: Sequence[Cell], states: Sequence[CellState], store: Store) -> None:
    """Store the sweeps of all models with several checkpoints, one for each task; StoreError as when writing one."""
    curves: defaultdict[tuple[str, TaskEntry], list[Point]] = defaultdict(list)
    for cell, state in zip(cells, states, strict=True):
        if cell.checkpoint:
            weights = cell.recipe.model.weights if cell.recipe else ""
            point = point_of(cell.checkpoint, state.run_id, weights, cell.refused)
            curves[cell.trained, cell.asked].append(point)
    for (trained, _), points in curves.items():
        record(store, trained, points)
