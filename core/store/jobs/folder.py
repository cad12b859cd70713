"""Jobs as recorded in their folders: arguments, progress, how they ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from core.errors import JobError
from core.messages import unpacked
from core.settings import settings
from core.store.files import read_json, write_json
from core.store.processes import alive

ENDED = frozenset({"done", "failed", "cancelled", "lost"})
_FIELDS = {"title", "arguments", "state", "created"}
"""The fields of every job's record."""
_LOCK_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Job:
    """A job as recorded in its folder. `state`: queued, running, done, failed, cancelled or lost.

    `done` of `total` steps; `seconds_left` is an estimate. `place` is the place in the queue, from 1. `result` is
    what the command reported, e.g. `{"run_id": ...}`; `error` one sentence.
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

    @property
    def folder(self) -> Path:
        """The folder of the job's files."""
        return settings().jobs / self.id

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in ENDED


def all_jobs() -> list[Job]:
    """All jobs, newest first; damaged ones are left out."""
    records = {path.parent.name: read_json(path) or {} for path in settings().jobs.glob("*/job.json")}
    valid = [(name, record) for name, record in records.items() if record.keys() >= _FIELDS]
    known = sorted(valid, key=lambda one: one[1]["created"])
    queue = [name for name, record in known if record["state"] == "queued"]
    places = {name: place for place, name in enumerate(queue, start=1)}
    return [_job(name, record, places.get(name, 0)) for name, record in reversed(known)]


def named(identifier: str, found: Sequence[Job]) -> Job:
    """The one of these jobs with this id; JobError if there is none."""
    for one in found:
        if one.id == identifier:
            return one
    raise JobError(f"There is no job '{identifier}': it was deleted, or belongs to another PAIRLENS_HOME.")


@contextmanager
def locked() -> Iterator[None]:
    """Nobody else starts, ends or deletes a job meanwhile; JobError after half a minute of waiting."""
    try:
        settings().jobs.mkdir(parents=True, exist_ok=True)
        with FileLock(settings().jobs / ".lock", timeout=_LOCK_SECONDS):
            yield
    except Timeout:
        raise JobError("Another process is still starting or ending jobs: try again in a moment.") from None


def record_of(identifier: str) -> dict[str, Any]:
    """The record of a job; JobError if there is none."""
    record = read_json(settings().jobs / identifier / "job.json")
    if record is None:
        raise JobError(f"There is no job '{identifier}'.")
    return record


def update(identifier: str, **changes: Any) -> None:
    """Change fields of a job's record."""
    write_json(settings().jobs / identifier / "job.json", {**record_of(identifier), **changes})


def _job(identifier: str, record: Mapping[str, Any], place: int) -> Job:
    progress = read_json(settings().jobs / identifier / "progress.json") or {}
    state, error = record["state"], unpacked(record.get("message") or record.get("error", ""))
    if state == "running" and not alive(record["pid"], record.get("began")):
        state, error = "lost", "Its process ended unexpectedly; start it again to continue."
    return Job(
        id=identifier,
        title=record["title"],
        arguments=tuple(record["arguments"]),
        state=state,
        created=record["created"],
        done=progress.get("done", 0),
        total=progress.get("total", 0),
        seconds_left=progress.get("seconds_left"),
        place=place,
        error=error,
        result=record.get("result"),
    )
