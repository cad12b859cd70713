"""Long work in a child process that runs the same command line: start, watch, queue, cancel.

A job is a folder: `job.json` (what was asked, by whom it is run), `progress.json` (the child's heartbeat and how far
it is), `output.log`. Everything about a job is read from its folder, so it survives page, browser and server; what it
had scored when it ended, however it ended, is in the store.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from core.errors import JobError, PairlensError
from core.old_jobs import old
from core.settings import ROOT, settings
from core.store.files import read_json, write_json
from core.store.processes import alive

ENDED = frozenset({"done", "failed", "cancelled", "lost"})
_GRACE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Job:
    """A job as its folder tells. `state`: queued, running, done, failed, cancelled or lost.

    `done` of `total` steps; `seconds_left` is an estimate. `place` is the place in the queue, from 1. `result` is
    what the command reports, e.g. `{"run_id": ...}`; `error` one sentence.
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
        """Where the job's files are."""
        return settings().jobs / self.id

    @property
    def ended(self) -> bool:
        """Nothing more will happen."""
        return self.state in ENDED


def start(arguments: Sequence[str], title: str) -> Job:
    """Queue `python -m core ARGUMENTS` and start it if its turn has come. Jobs that ended long ago are deleted."""
    with _lock():
        for one in old(_jobs()):
            shutil.rmtree(one.folder, ignore_errors=True)  # what is left of it is deleted next time
    identifier = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
    folder = settings().jobs / identifier
    write_json(
        folder / "job.json",
        {"title": title, "arguments": list(arguments), "state": "queued", "created": time.time()},
    )
    advance()
    return job(identifier)


def jobs() -> list[Job]:
    """All jobs, newest first. A queued one whose turn has come is started: a job that was killed started no other."""
    found = _jobs()
    if _free(found) and any(one.state == "queued" for one in found):
        advance()
        found = _jobs()
    return found


def job(identifier: str) -> Job:
    """The job of that id; JobError if there is none."""
    return _named(identifier, jobs())


def cancel(identifier: str) -> Job:
    """End a job and what it started. What it has scored stays; starting the same work again goes on from there."""
    with _lock():
        one = _named(identifier, _jobs())
        if one.ended:
            return one
        record = _record(identifier)
        _record_update(identifier, state="cancelled")
    if one.state == "running":
        _end(record["pid"])
    advance()
    return job(identifier)


def advance() -> None:
    """Start queued jobs, oldest first, while fewer than `settings().jobs_at_once` run."""
    with _lock():
        found = _jobs()
        queue = [one for one in reversed(found) if one.state == "queued"]
        for one in queue[: _free(found)]:
            _spawn(one)


@contextmanager
def reporting(folder: Path | None) -> Iterator[Report]:
    """Run a command as the job in `folder` (None: not a job, reports go nowhere), recording how it ends."""
    if folder is None:
        yield Report(None)
        return
    report = Report(folder)
    state, error = "failed", "It ended without saying why; see output.log in its folder."
    try:
        report.progress(0, 0)
        yield report
        state, error = "done", ""
    except PairlensError as stopped:
        error = str(stopped)
        raise
    except KeyboardInterrupt:
        state, error = "cancelled", ""
        raise
    except Exception as unexpected:
        error = f"Something unexpected happened ({type(unexpected).__name__}); see output.log in its folder."
        raise
    finally:
        with _lock():
            if _record(folder.name)["state"] == "running":
                _record_update(folder.name, state=state, error=error, result=report.outcome)
        advance()


class Report:
    """What a running command tells about itself."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._written = 0.0
        self.outcome: dict[str, Any] = {}

    def progress(self, done: int, total: int, seconds_left: float | None = None) -> None:
        """How far the work is; written at most twice a second, but always at the end."""
        now = time.monotonic()
        if self._folder and (now - self._written > 0.5 or done == total):
            self._written = now
            steps = {"done": done, "total": total, "seconds_left": seconds_left}
            write_json(self._folder / "progress.json", steps)

    def result(self, **values: Any) -> None:
        """What came out, for whoever watches the job."""
        self.outcome.update(values)


def _jobs() -> list[Job]:
    """All jobs, newest first."""
    records = {path.parent.name: read_json(path) for path in settings().jobs.glob("*/job.json")}
    known = sorted(((name, record) for name, record in records.items() if record), key=lambda one: one[1]["created"])
    queue = [name for name, record in known if record["state"] == "queued"]
    places = {name: place for place, name in enumerate(queue, start=1)}
    return [_job(name, record, places.get(name, 0)) for name, record in reversed(known)]


def _named(identifier: str, found: Sequence[Job]) -> Job:
    for one in found:
        if one.id == identifier:
            return one
    raise JobError(f"There is no job '{identifier}': it was deleted, or belongs to another PAIRLENS_HOME.")


def _free(found: Sequence[Job]) -> int:
    """How many more jobs may run."""
    return max(0, settings().jobs_at_once - sum(one.state == "running" for one in found))


def _lock() -> FileLock:
    settings().jobs.mkdir(parents=True, exist_ok=True)
    return FileLock(settings().jobs / ".lock", timeout=30)


def _record(identifier: str) -> dict[str, Any]:
    record = read_json(settings().jobs / identifier / "job.json")
    if record is None:
        raise JobError(f"There is no job '{identifier}'.")
    return record


def _record_update(identifier: str, **changes: Any) -> None:
    write_json(settings().jobs / identifier / "job.json", {**_record(identifier), **changes})


def _job(identifier: str, record: Mapping[str, Any], place: int) -> Job:
    progress = read_json(settings().jobs / identifier / "progress.json") or {}
    state, error = record["state"], record.get("error", "")
    if state == "running" and not alive(record["pid"]):
        state, error = "lost", "Its process ended without a word; start it again, it goes on from there."
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


def _spawn(one: Job) -> None:
    with (one.folder / "output.log").open("ab") as output:
        child = subprocess.Popen(
            [sys.executable, "-m", "core", *one.arguments, "--job", str(one.folder)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "PAIRLENS_HOME": str(settings().home.resolve()), "PAIRLENS_DEBUG": "1"},
        )
    _record_update(one.id, state="running", pid=child.pid, started=time.time())


def _end(pid: int) -> None:
    """Ask a job's process group to end, then make it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, number)
        patience = time.monotonic() + _GRACE_SECONDS
        while alive(pid) and time.monotonic() < patience:
            time.sleep(0.05)
        if not alive(pid):
            return
