"""One benchmark on the checkpoints of a model: a run each, and a sweep of all in the store."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core import identity
from core.errors import ModelError
from core.models.resolve import is_folder
from core.runs.evaluate import evaluate
from core.scoring.checkpoints import Checkpoint
from core.scoring.into_store import Progress
from core.scoring.recipe import Recipe, now
from core.store import Store, sweeps
from core.store.sweeps import DONE, REFUSED, Point, Sweep
from core.types import Task

_SHARED = ("task", "task_version", "rule", "data_hash", "scorer", "policy")
"""The fields of a run's manifest shared by all checkpoints of a sweep."""


def _run(task: Task, path: Path, recipe: Recipe, store: Store) -> Progress:
    *_, last = evaluate(task, path, recipe, store)
    return last


@dataclass(frozen=True, slots=True)
class Step:
    """A checkpoint of a sweep, once it is done: its run with its last progress, and the sweep's id.

    If an earlier checkpoint has the same run, `same_as` names it and `progress` is None; `refused` says why a
    checkpoint cannot be used.
    """

    checkpoint: Checkpoint
    run_id: str = ""
    progress: Progress | None = None
    same_as: str = ""
    sweep_id: str = ""
    refused: str = ""


def sweep(
    task: Task,
    path: Path,
    checkpoints: Sequence[Checkpoint],
    recipe_of: Callable[[str], Recipe],
    store: Store,
    *,
    model: str,
    run: Callable[[Task, Path, Recipe, Store], Progress] = _run,
) -> Iterator[Step]:
    """Run a task on each checkpoint in turn and store the sweep; `recipe_of` takes a checkpoint's source.

    A checkpoint with the same files as an earlier one shares its run. One that cannot be used is refused with the
    reason, and the others are run. A repeated sweep continues, because finished runs are look-ups; further
    checkpoints extend it.
    """
    first: dict[str, Step] = {}
    points = {one.name: Point(one.name, one.words, one.unit, assumed=one.assumed) for one in checkpoints}
    sweep_id = ""
    for checkpoint in checkpoints:
        step, point = Step(checkpoint), points[checkpoint.name]
        try:
            recipe = recipe_of(checkpoint.source)
            if twin := first.get(recipe.fingerprint):
                step = replace(step, run_id=twin.run_id, same_as=twin.checkpoint.name)
            else:
                progress = run(task, path, recipe, store)
                step = first[recipe.fingerprint] = replace(step, run_id=progress.run_id, progress=progress)
        except ModelError as damaged:
            step = replace(step, refused=str(damaged))
            points[checkpoint.name] = replace(point, state=REFUSED, reason=step.refused)
        else:
            points[checkpoint.name] = replace(point, weights=recipe.model.weights, run_id=step.run_id, state=DONE)
        if done := [one.run_id for one in points.values() if one.run_id]:
            sweep_id = record(store, model, tuple(points.values()), done[-1])
        yield replace(step, sweep_id=sweep_id)


def record(store: Store, model: str, points: tuple[Point, ...], of_run: str) -> str:
    """Store the points of a sweep, one of which has this run; returns the sweep's id."""
    manifest = store.manifest(of_run)
    place = str(Path(model).expanduser().resolve()) if is_folder(model) else model
    shared = identity.canonical([place, *(manifest[field] for field in _SHARED)])
    sweep_id = f"{manifest['task']}-{identity.digest(shared)[:10]}"
    fields = {field: manifest[field] for field in ("task", "rule", "data", "data_hash", "scorer", "policy")}
    one = Sweep(sweep_id, model, **fields, created=now(), points=points)
    return sweeps.write(store, one).id
