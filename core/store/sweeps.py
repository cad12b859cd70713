"""Sweeps: one benchmark on the checkpoints of one model, as one small JSON file each.

A sweep names runs and owns nothing; several processes may extend it by further checkpoints at any time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from core.errors import StoreError
from core.store.files import read_json, write_json
from core.store.formats import FORMAT
from core.store.store import Store

WAITING, DONE, REFUSED = "waiting", "done", "refused"
_SECONDS = 10.0
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Point:
    """A checkpoint in a sweep: what it had seen (`words`, counted in `unit`), its weights' digest and its run.

    `state` is `waiting`, without weights and run, until the run is `done`; `refused` if the checkpoint cannot be
    used, with the `reason` in a sentence.
    """

    name: str
    words: int | None
    unit: str
    weights: str = ""
    run_id: str = ""
    state: str = WAITING
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is the same for all points, and the points in the order of training.

    `id` names what determines the curve, not which checkpoints are on it.
    """

    id: str
    model: str
    task: str
    rule: str
    data: str
    data_hash: str
    scorer: str
    policy: Mapping[str, Any]
    created: str
    points: tuple[Point, ...] = ()


def read(store: Store, sweep_id: str) -> Sweep:
    """The sweep of that id; StoreError if there is none."""
    found = _read(_path(store, sweep_id))
    if found is None:
        raise StoreError(f"There is no sweep '{sweep_id}' in the store.")
    return found


def sweeps(store: Store) -> list[Sweep]:
    """All sweeps, newest first."""
    found = [_read(path) for path in (store.folder / "sweeps").glob("[!.]*.json")]
    return sorted((sweep for sweep in found if sweep), key=lambda sweep: sweep.created, reverse=True)


def write(store: Store, sweep: Sweep) -> Sweep:
    """Store a sweep, joined with what is stored of it already, and return the whole.

    A point replaces the stored one of its name; but one that is waiting only corrects what that had seen, and so does
    one that is refused now of a run that was done before. StoreError if it cannot be written.
    """
    path = _path(store, sweep.id)
    with _changing(path):
        stored = _read(path) or replace(sweep, points=())
        points = {point.name: point for point in stored.points}
        points |= {point.name: _joined(points.get(point.name), point) for point in sweep.points}
        order = sorted(points.values(), key=lambda point: (point.words is None, point.words or 0, point.name))
        whole = replace(sweep, created=stored.created, points=tuple(order))
        write_json(path, {"format": FORMAT, **asdict(whole)})
    return whole


@contextmanager
def _changing(path: Path) -> Iterator[None]:
    """Nobody else changes the sweep inside."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_name(f".{path.name}.lock"), timeout=_SECONDS):
            yield
    except Timeout:
        raise StoreError("Another process is still changing this sweep: try again in a moment.") from None
    except OSError as error:
        raise StoreError(f"{path.parent} cannot be changed: {error.strerror or error}.") from error


def _joined(stored: Point | None, given: Point) -> Point:
    if stored is None or given.state == DONE or (given.state == REFUSED and stored.state != DONE):
        return given
    return replace(stored, words=given.words, unit=given.unit)


def _read(path: Path) -> Sweep | None:
    """The sweep in a file; None if there is none, one of another format, or a damaged one."""
    fields = read_json(path)
    if fields is None or fields.pop("format", None) != FORMAT:
        return None
    try:
        return Sweep(**{**fields, "points": tuple(Point(**point) for point in fields["points"])})
    except (KeyError, TypeError):
        log.warning("%s is damaged: the sweep is left out.", path)
        return None


def _path(store: Store, sweep_id: str) -> Path:
    if not sweep_id or sweep_id != Path(sweep_id).name or sweep_id.startswith("."):
        raise StoreError(f"'{sweep_id}' is not the id of a sweep.")
    return store.folder / "sweeps" / f"{sweep_id}.json"
