"""A plan run to its end: chunks of all cells through an engine, and a run stored for each cell."""

import os
import platform
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from core import identity
from core.errors import JobError, PairlensError
from core.files.locks import locked
from core.plans.cells import Cell, DataSets, TaskEntry
from core.plans.workers import Chunk, Outcome
from core.rules import RULES
from core.runs.evaluate import Context, data_name, extras_of, tidy
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


def _folder(file: Path) -> Path:
    place = file.resolve()
    return settings().plans / f"{place.stem}-{identity.digest(str(place))[:10]}"


def record_of(file: Path) -> PlanRecord | None:
    return _record(_folder(file))


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
            "seconds": now - self._began, "cells": [asdict(cell) for cell in self.cells],
        }  # fmt: skip
        write_json(_folder(self._file) / "plan.json", about)

    def change(self, number: int, **changes: object) -> None:
        """Change the state of a cell; written with the next record."""
        self.cells[number] = replace(self.cells[number], **changes)  # type: ignore[arg-type]


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
        states = [CellState(cell.model, cell.task.name, data_name(cell.data)) for cell in cells]
        recorder = Recorder(file, states)
        for number, cell in enumerate(cells):
            if cell.refused:
                recorder.change(number, state=FAILED, reason=cell.refused)
        recorder.write()
        if parts:
            elsewhere.merge(store, parts, {cell.recipe.fingerprint for cell in cells if cell.recipe})
        running = _Running(cells, store, recorder, parts or str(store.folder))
        try:
            for outcome in engine(running.chunks(), running.parts):
                running.take(outcome)
                yield recorder.cells
            _record_sweeps(cells, recorder.cells, store)
            tidy(store)
        except BaseException as error:
            recorder.write(FAILED if isinstance(error, Exception) else "cancelled")
            raise
        recorder.write(FAILED if any(cell.state == FAILED for cell in recorder.cells) else DONE)
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


class _Running:
    """The cells of a running plan. Those of one model follow one another, and share the texts they have in common."""

    def __init__(self, cells: Sequence[Cell], store: Store, recorder: Recorder, parts: str) -> None:
        self.parts = parts
        self._cells = cells
        self._store = store
        self._recorder = recorder
        self._in_work: dict[int, _InWork] = {}
        self._out: dict[str, tuple[Chunk, int]] = {}
        """The chunks in work by id, each with the cell that counts its seconds."""

    def chunks(self) -> Iterator[Chunk]:
        """The chunks of all cells; a cell is planned when its turn comes, and finished here if nothing is missing."""
        read, model = DataSets(), ""
        handed: defaultdict[tuple[str, bool, bool], dict[str, str]] = defaultdict(dict)
        """What has been handed out of the current model: chunk ids by request, by what is asked of it."""
        for number, cell in enumerate(self._cells):
            if cell.source != model:
                model = cell.source
                handed.clear()
            if cell.refused:
                continue
            try:
                planned = cell.planned(read)
            except PairlensError as error:
                self._recorder.change(number, state=FAILED, reason=str(error))
                continue
            fingerprint, tokens = planned.recipe.fingerprint, not planned.task.confidential
            boundary = extras_of(planned).boundary
            yield from self._chunks_of(number, planned, boundary, tokens, handed[fingerprint, boundary, tokens])

    def _chunks_of(
        self, number: int, planned: Plan, boundary: bool, tokens: bool, handed: dict[str, str]
    ) -> Iterator[Chunk]:
        recipe, requests = planned.recipe, planned.requests
        by_token = RULES[planned.rule].shared
        known = self._store.known(recipe.fingerprint, boundary=boundary, by_token=by_token, keys=requests)
        self._recorder.change(number, state=RUNNING, total=len(requests), done=len(known), reused=len(known))
        cell = self._in_work[number] = _InWork(planned)
        cell.waits = {handed[key] for key in requests.keys() & handed.keys() if handed[key] in self._out}
        for wanted in missing_chunks(requests, known | handed.keys()):
            if self._recorder.cells[number].state == FAILED:  # the rest would fail for the same reason
                break
            source = self._cells[number].source
            chunk = Chunk(source, recipe.kind.name, recipe.policy, recipe.fingerprint, wanted, boundary, tokens)
            handed.update(dict.fromkeys(wanted, chunk.id))
            self._out[chunk.id] = chunk, number
            cell.waits.add(chunk.id)
            yield chunk
        cell.drawn = True
        self._finish(number)

    def take(self, outcome: Outcome) -> None:
        """Note what became of a chunk, and finish the cells that waited for no other."""
        chunk, owner = self._out.pop(outcome.chunk_id)
        if outcome.part and not elsewhere.take(self._store, self.parts, chunk.fingerprint, outcome.part):
            outcome = replace(outcome, error=_NOT_THERE.format(machine=outcome.machine, parts=self.parts))
        for number, cell in [*self._in_work.items()]:
            if chunk.id not in cell.waits:
                continue
            cell.waits.remove(chunk.id)
            cell.refused |= {key: why for key, why in outcome.refused.items() if key in cell.planned.requests}
            if number == owner and outcome.machine == platform.node():
                cell.scored += outcome.scored
                cell.seconds += outcome.seconds
            state = self._recorder.cells[number]
            self._recorder.change(number, done=min(state.total, state.done + len(chunk.requests)))
            if outcome.error:
                self._recorder.change(number, state=FAILED, reason=outcome.error)
            self._finish(number)
        self._recorder.write()

    def _finish(self, number: int) -> None:
        """Store the run of a cell all of whose texts are scored."""
        cell = self._in_work.get(number)
        if cell is None or cell.waits or not cell.drawn:
            return
        del self._in_work[number]
        if self._recorder.cells[number].state == FAILED:
            return
        planned, data = cell.planned, data_name(self._cells[number].data)
        context = Context(
            self._store, data, scored=cell.scored, seconds=cell.seconds, refused=cell.refused, last=False
        )
        try:
            for _ in finish(planned, context):
                continue
        except PairlensError as error:
            self._recorder.change(number, state=FAILED, reason=str(error))
            return
        left_out = len(self._store.manifest(planned.run_id)["refused"])
        reason = f"{left_out:,} items left out" if left_out else ""
        done = len(planned.requests)
        self._recorder.change(number, state=DONE, done=done, run_id=planned.run_id, reason=reason)


def _record_sweeps(cells: Sequence[Cell], states: Sequence[CellState], store: Store) -> None:
    """Store the sweeps of all models with several checkpoints, one for each task; StoreError as when writing one."""
    curves: defaultdict[tuple[str, TaskEntry], dict[Point, str]] = defaultdict(dict)
    for cell, state in zip(cells, states, strict=True):
        if step := cell.checkpoint:
            point = Point(step.name, step.words, step.unit, assumed=step.assumed)
            if state.state == DONE and cell.recipe:
                weights = cell.recipe.model.weights
                point = replace(point, weights=weights, run_id=state.run_id, state=sweeps.DONE)
            elif cell.refused:
                point = replace(point, state=sweeps.REFUSED, reason=cell.refused)
            curves[cell.trained, cell.asked][point] = state.run_id
    for (trained, _), points in curves.items():
        if runs := [run_id for run_id in points.values() if run_id]:
            record(store, trained, tuple(points), runs[-1])
