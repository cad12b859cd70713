"""Jobs as recorded in their folders: arguments, progress, how they ended."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.errors import JobError
from core.files.locks import locked
from core.messages import unpacked
from core.settings import settings
from core.store.files import if_readable, read_json, read_or_set_aside, write_json
from core.store.processes import alive, why_ended
from core.store.visitors import EVERYTHING

ENDED = frozenset({"done", "failed", "cancelled", "lost"})
_FIELDS = {"title", "arguments", "state", "created"}
"""The fields of every job's record."""
_LOCK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Job:
    """A job as recorded in its folder. `state`: queued, running, done, failed, cancelled or lost.

    `done` of `total` steps; `seconds_left` is an estimate. `place` is the place in the queue, from 1. `result` is
    what the command reported, e.g. `{"run_id": ...}`; `error` one sentence; `visitor` whose it is
    (`core.store.visitors`); `created` and `finished` are in seconds since 1970.
    """

    id: str
    title: str
    arguments: tuple[str, ...]
    state: str
    created: float
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
    place: int = 0
    error: str = ""
    result: Mapping[str, Any] | None = None
    visitor: str = EVERYTHING
    finished: float = 0.0

    @property
    def folder(self) -> Path:
        """The folder of the job's files."""
        return settings().jobs / self.id

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ENDED


def all_jobs() -> list[Job]:
    """All jobs, newest first; the records of damaged ones are set aside."""
    paths = settings().jobs.glob("*/job.json")
    records = {path.parent.name: if_readable(read_or_set_aside, path) or {} for path in paths}
    valid = [(name, record) for name, record in records.items() if record.keys() >= _FIELDS]
    known = sorted(valid, key=lambda one: one[1]["created"])
    listed = [_job(name, record) for name, record in known]
    places = {one.id: place for place, one in enumerate(in_turn(listed), start=1)}
    return [replace(one, place=places.get(one.id, 0)) for one in reversed(listed)]


def in_turn(listed: Sequence[Job]) -> list[Job]:
    """The queued ones of these jobs, which are listed oldest first, in the order in which they start.

    Visitors take turns: the first is whoever has fewer jobs running or ahead in the queue, then whoever has waited
    longer, counted from the end of her last job.
    """
    ahead = Counter(one.visitor for one in listed if one.state == "running")
    last = {one.visitor: one.finished for one in sorted(listed, key=lambda one: one.finished)}
    order = {}
    for one in listed:
        if one.state == "queued":
            order[one.id] = (ahead[one.visitor], max(one.created, min(last[one.visitor], time.time())))
            ahead[one.visitor] += 1
    return sorted((one for one in listed if one.id in order), key=lambda one: order[one.id])


def after(listed: Sequence[Job]) -> float:
    """The time now, in seconds since 1970; a moment after the newest of these jobs if the clock has been set back."""
    return max([time.time(), *(one.created + 0.001 for one in listed)])


def named(identifier: str, listed: Sequence[Job]) -> Job:
    """The one of these jobs with this id; JobError if there is none."""
    for one in listed:
        if one.id == identifier:
            return one
    raise JobError(f"There is no job '{identifier}': it was deleted, or belongs to another PAIRLENS_HOME.")


def changing_jobs() -> AbstractContextManager[None]:
    """Nobody else starts, ends or deletes a job meanwhile; JobError after half a minute of waiting."""
    busy = JobError("Another process is still starting or ending jobs: try again in a moment.")
    return locked(settings().jobs / ".lock", _LOCK_SECONDS, busy)


def record_of(identifier: str) -> dict[str, Any]:
    """The record of a job; JobError if there is none."""
    record = read_json(settings().jobs / identifier / "job.json")
    if record is None:
        raise JobError(f"There is no job '{identifier}'.")
    return record


def update(identifier: str, **changes: Any) -> None:
    """Change fields of a job's record."""
    write_json(settings().jobs / identifier / "job.json", {**record_of(identifier), **changes})


def _job(identifier: str, record: Mapping[str, Any]) -> Job:
    progress = if_readable(read_json, settings().jobs / identifier / "progress.json") or {}
    state, error = record["state"], unpacked(record.get("message") or record.get("error", ""))
    if state == "running" and not alive(record["pid"], record.get("began")):
        state, error = "lost", why_ended(record, record.get("started"), settings().jobs, "start it again")
    return Job(
        id=identifier,
        title=record["title"],
        arguments=tuple(record["arguments"]),
        state=state,
        created=record["created"],
        done=progress.get("done", 0),
        total=progress.get("total", 0),
        seconds_left=progress.get("seconds_left"),
        error=error,
        result=record.get("result"),
        visitor=record.get("visitor", EVERYTHING),
        finished=record.get("finished", 0.0),
    )
