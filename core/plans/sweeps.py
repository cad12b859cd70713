"""The checkpoints of one model in a plan, as sweeps like those of `zero-shot`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from core.plans.cells import Cell
from core.plans.file import TaskEntry
from core.plans.progress import DONE, CellState
from core.runs.sweep import record
from core.store import Store, sweeps
from core.store.sweeps import Point


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
