"""Sweeps: one benchmark on the checkpoints of one model, a small JSON file each, which only names runs."""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pairlens.errors import StoreError
from pairlens.files.locks import changing
from pairlens.store import visitors
from pairlens.store.files import FORMAT, check_format, if_readable, read_or_set_aside, write_json
from pairlens.store.store import Store

WAITING, DONE, REFUSED = "waiting", "done", "refused"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Point:
    """A checkpoint in a sweep: the `words` it had seen, counted in `unit`, its weights' digest and its run.

    `state` is `waiting`, without weights and run, until the run is `done`, or `refused`, with a `reason`. `assumed`:
    how much it had seen is not said, and taken to be as much as the last one.
    """

    name: str
    words: int | None
    unit: str
    weights: str = ""
    run_id: str = ""
    state: str = WAITING
    reason: str = ""
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Sweep:
    """What all points share, on which the `id` depends, and the points in the order of training."""

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
    sweep = _read(_path(store, sweep_id))
    if sweep is None:
        raise StoreError(f"There is no sweep '{sweep_id}' in the store.")
    return sweep


def sweeps(store: Store) -> list[Sweep]:
    """All sweeps, newest first; on a shared dashboard those with a run that is listed to whoever asks."""
    stored = [if_readable(_read, path) for path in (store.folder / "sweeps").glob("[!.]*.json")]
    listed = [sweep for sweep in stored if sweep]
    if visitors.current() != visitors.EVERYTHING:
        listed = [sweep for sweep in listed if visitors.listed("runs", {point.run_id for point in sweep.points})]
    return sorted(listed, key=lambda sweep: sweep.created, reverse=True)


def write(store: Store, sweep: Sweep) -> Sweep:
    """Merge a sweep into the stored one and return the result; StoreError if it cannot be written.

    A point replaces the stored one of its name. A waiting point, and a refused one whose run was done before, only
    correct `words` and `unit`.
    """
    path = _path(store, sweep.id)
    busy = "Another process is still changing this sweep: try again in a moment."
    with changing(path.with_name(f".{path.name}.lock"), 10.0, busy):
        stored = _read(path) or replace(sweep, points=())
        points = {point.name: point for point in stored.points}
        for point in sweep.points:
            before = points.get(point.name)
            if before and point.state != DONE and (point.state != REFUSED or before.state == DONE):
                point = replace(before, words=point.words, unit=point.unit, assumed=point.assumed)
            points[point.name] = point
        order = sorted(points.values(), key=lambda one: (one.words is None, one.words or 0, one.assumed, one.name))
        merged = replace(sweep, created=stored.created, points=tuple(order))
        write_json(path, {"format": FORMAT, **asdict(merged)})
    return merged


def _read(path: Path) -> Sweep | None:
    """The sweep in a file; None if there is none, or it is damaged and set aside. StoreError for a newer one."""
    if (fields := read_or_set_aside(path)) is None:
        return None
    check_format(path, fields)
    fields.pop("format", None)
    try:
        return Sweep(**{**fields, "points": tuple(Point(**point) for point in fields["points"])})
    except (KeyError, TypeError):
        log.warning("%s is damaged: the sweep is left out.", path)
        return None


def _path(store: Store, sweep_id: str) -> Path:
    if not sweep_id or sweep_id != Path(sweep_id).name or sweep_id.startswith("."):
        raise StoreError(f"'{sweep_id}' is not the id of a sweep.")
    return store.folder / "sweeps" / f"{sweep_id}.json"
