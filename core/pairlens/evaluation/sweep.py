"""One benchmark on the checkpoints of a model: a run each, and a sweep of all in the store."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pairlens import identity
from pairlens.errors import ModelError
from pairlens.evaluation.evaluate import evaluate
from pairlens.models.resolve import is_folder
from pairlens.scoring.checkpoints import Checkpoint
from pairlens.scoring.into_store import Progress
from pairlens.scoring.recipe import Recipe, now
from pairlens.store import Store, sweeps
from pairlens.store.sweeps import DONE, REFUSED, Point, Sweep
from pairlens.types import Task

_SHARED = ("task", "task_version", "rule", "data_hash", "scorer", "policy")
"""The fields of a run's manifest shared by all checkpoints of a sweep."""


@dataclass(frozen=True, slots=True)
class Step:
    """A checkpoint of a sweep, done or `refused`; `same_as` names an earlier checkpoint with the same run."""

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
    run: Callable[[Recipe], Progress] | None = None,
) -> Iterator[Step]:
    """Run a task on each checkpoint in turn and store the sweep; `recipe_of` takes a checkpoint's source.

    A checkpoint with the same files as an earlier one shares its run. One that cannot be used is refused, and the
    others are run. A repeated sweep continues; further checkpoints extend it.
    """
    run = run or (lambda recipe: [*evaluate(task, path, recipe, store)][-1])
    first: dict[str, Step] = {}
    points = {checkpoint.name: point_of(checkpoint) for checkpoint in checkpoints}
    for checkpoint in checkpoints:
        step = Step(checkpoint)
        try:
            recipe = recipe_of(checkpoint.source)
            if twin := first.get(recipe.fingerprint):
                step = replace(step, run_id=twin.run_id, same_as=twin.checkpoint.name)
            else:
                progress = run(recipe)
                step = first[recipe.fingerprint] = replace(step, run_id=progress.run_id, progress=progress)
        except ModelError as damaged:
            step = replace(step, refused=str(damaged))
        weights = recipe.model.weights if step.run_id else ""
        points[checkpoint.name] = point_of(checkpoint, step.run_id, weights, step.refused)
        yield replace(step, sweep_id=record(store, model, [*points.values()]))


def point_of(checkpoint: Checkpoint, run_id: str = "", weights: str = "", refused: str = "") -> Point:
    """A checkpoint in a sweep, waiting until it has a run or a reason why it cannot have one."""
    point = Point(checkpoint.name, checkpoint.words, checkpoint.unit, assumed=checkpoint.assumed)
    if run_id:
        return replace(point, weights=weights, run_id=run_id, state=DONE)
    return replace(point, state=REFUSED, reason=refused) if refused else point


def record(store: Store, model: str, points: Sequence[Point]) -> str:
    """Store the points of a sweep and return its id; nothing is stored, and the id empty, while none has a run."""
    runs = [point.run_id for point in points if point.run_id]
    if not runs:
        return ""
    manifest = store.manifest(runs[-1])
    place = str(Path(model).expanduser().resolve()) if is_folder(model) else model
    shared = identity.canonical([place, *(manifest[field] for field in _SHARED)])
    sweep_id = f"{manifest['task']}-{identity.digest(shared)[:10]}"
    fields = {field: manifest[field] for field in ("task", "rule", "data", "data_hash", "scorer", "policy")}
    return sweeps.write(store, Sweep(sweep_id, model, **fields, created=now(), points=tuple(points))).id
