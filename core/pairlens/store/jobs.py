"""Long work in a child process that runs the same command line: start, watch, queue, cancel.

A job is a folder, so that it survives page, browser and server: `job.json` (arguments, state, process),
`progress.json` (how far the child is) and `output.log`. What it had scored, however it ended, is in the store.
"""

import contextlib
import os
import secrets
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pairlens.errors import JobError, PairlensError
from pairlens.files.locks import locked
from pairlens.messages import one_or_more, packed, unpacked
from pairlens.places import environment, python
from pairlens.settings import settings
from pairlens.store import visitors
from pairlens.store.files import if_readable, read_json, read_or_set_aside, write_json
from pairlens.store.processes import alive, end, started_at, why_ended
from pairlens.store.visitors import EVERYTHING

ENDED = frozenset({"done", "failed", "cancelled", "lost"})
_FIELDS = {"title", "arguments", "state", "created"}
_NICENESS = 10
"""A job gets the processor when nobody waits for a page: a visitor's answer comes first."""
_children: list[subprocess.Popen[bytes]] = []
"""Kept, since `subprocess` would reap forgotten ones, and `processes.alive` could not tell how they ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job as recorded in its folder. `state`: queued, running, done, failed, cancelled or lost.

    `done` of `total` steps; `place` in the queue, from 1; `result`: what the command reported; `error`: one sentence;
    `visitor`: whose it is (`pairlens.store.visitors`). Times are in seconds since 1970.
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
    started: float = 0.0
    finished: float = 0.0

    @property
    def folder(self) -> Path:
        return settings().jobs / self.id

    @property
    def ended(self) -> bool:
        return self.state in ENDED

    @property
    def is_training(self) -> bool:
        return self.arguments[0] == "train"


def all_jobs() -> list[Job]:
    """All jobs, newest first; damaged ones are set aside. Visitors take turns: first is who has fewer jobs running or
    ahead, then who has waited longer since her last one.
    """
    paths = settings().jobs.glob("*/job.json")
    records = {path.parent.name: if_readable(read_or_set_aside, path) or {} for path in paths}
    valid = [(name, record) for name, record in records.items() if record.keys() >= _FIELDS]
    listed = [_job(name, record) for name, record in sorted(valid, key=lambda one: one[1]["created"])]
    ahead = Counter(job.visitor for job in listed if job.state == "running")
    last = {job.visitor: job.finished for job in sorted(listed, key=lambda job: job.finished)}
    order = {}
    for job in listed:
        if job.state == "queued":
            order[job.id] = (ahead[job.visitor], max(job.created, min(last[job.visitor], time.time())))
            ahead[job.visitor] += 1
    places = {identifier: place for place, identifier in enumerate(sorted(order, key=order.__getitem__), start=1)}
    return [replace(job, place=places.get(job.id, 0)) for job in reversed(listed)]


def _job(identifier: str, record: Mapping[str, Any]) -> Job:
    progress = if_readable(read_json, settings().jobs / identifier / "progress.json") or {}
    state, error = record["state"], unpacked(record.get("message") or record.get("error", ""))
    if state == "running" and not alive(record["pid"], record.get("began")):
        state, error = "lost", why_ended(record, record.get("started"), settings().jobs, "start it again")
    values = {**progress, **record, "id": identifier, "state": state, "error": error}
    values["arguments"] = tuple(record["arguments"])
    return Job(**{field.name: values[field.name] for field in fields(Job) if field.name in values})


def _changing() -> AbstractContextManager[None]:
    """Nobody else starts, ends or deletes a job meanwhile; JobError after half a minute of waiting."""
    busy = JobError("Another process is still starting or ending jobs: try again in a moment.")
    return locked(settings().jobs / ".lock", 30.0, busy)


_NONE = "There is no job '{}': it was deleted, or belongs to another PAIRLENS_HOME."


def record_of(identifier: str) -> dict[str, Any]:
    if record := read_json(settings().jobs / identifier / "job.json"):
        return record
    raise JobError(_NONE.format(identifier))


def update(identifier: str, **changes: Any) -> None:
    write_json(settings().jobs / identifier / "job.json", {**record_of(identifier), **changes})


def start(arguments: Sequence[str], title: str) -> Job:
    """Queue `pairlens ARGUMENTS` and start it if it is next; jobs that ended long ago are deleted. JobError if a
    visitor has `settings().jobs_per_visitor` running or waiting; NOBODY may have none.
    """
    whose = visitors.current()
    with _changing():
        listed = all_jobs()
        for ended in _old(listed):
            shutil.rmtree(ended.folder, ignore_errors=True)  # what is left of it is deleted next time
        most = 0 if whose == visitors.NOBODY else settings().jobs_per_visitor
        if whose != EVERYTHING and sum(not one.ended and one.visitor == whose for one in listed) >= most:
            too_many = one_or_more(
                "A visitor may have {n} job running or waiting here (jobs_per_visitor): "
                "wait until yours ends, or cancel it.",
                "A visitor may have {n:,} jobs running or waiting here (jobs_per_visitor): "
                "wait until one of yours ends, or cancel one.",
                n=most,
            )
            raise JobError(too_many)
        identifier = f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}"
        created = max([time.time(), *(one.created + 0.001 for one in listed)])  # the clock may have been set back
        record = {"title": title, "arguments": list(arguments), "state": "queued", "created": created}
        write_json(settings().jobs / identifier / "job.json", {**record, "visitor": whose})
    advance()
    return job(identifier)


def _old(listed: Sequence[Job]) -> list[Job]:
    """The jobs that ended more than `settings().job_days` days ago, but for the operator's newest of each verb."""
    newest = {(one.visitor, one.arguments[0]): one.id for one in reversed(listed)}
    earlier = [one for one in listed if one.ended and (one.visitor or newest["", one.arguments[0]] != one.id)]
    until = time.time() - settings().job_days * 86_400
    return [one for one in earlier if max(file.stat().st_mtime for file in one.folder.iterdir()) < until]


def jobs() -> list[Job]:
    """All jobs, on a shared dashboard one's own, newest first; the next starts where a killed one could not do so."""
    listed, whose = all_jobs(), visitors.current()
    if any(one.state == "queued" and _may_start(one, listed) for one in listed):
        advance()
        listed = all_jobs()
    return [one for one in listed if whose in (EVERYTHING, one.visitor)]


def latest(arguments: Sequence[str]) -> Job | None:
    return next((job for job in jobs() if job.arguments == tuple(arguments)), None)


def job(identifier: str) -> Job:
    """The job with that id; JobError if there is none, or it is somebody else's."""
    for listed in jobs():
        if listed.id == identifier:
            return listed
    raise JobError(_NONE.format(identifier))


def cancel(identifier: str) -> Job:
    """End a job and its child processes; its scores stay. JobError if there is none, or it is somebody else's."""
    job(identifier)
    with _changing():
        record = record_of(identifier)
        state = _job(identifier, record).state
        if state not in ENDED:
            update(identifier, state="cancelled", finished=time.time())
    if state == "running":
        end(record["pid"], 3.0, group=True)
    advance()
    return job(identifier)


def advance() -> None:
    """Start queued jobs, each visitor's in turn, while fewer than `settings().jobs_at_once` run."""
    with _changing():
        listed = all_jobs()
        for one in sorted((one for one in listed if one.state == "queued"), key=lambda one: one.place):
            if _may_start(one, listed):
                _spawn(one)
                listed.append(replace(one, state="running"))


def _may_start(one: Job, listed: Sequence[Job]) -> bool:
    """Training takes minutes, so it holds up nothing but training."""
    alike = [job for job in listed if job.state == "running" and job.is_training == one.is_training]
    return len(alike) < settings().jobs_at_once


def _spawn(one: Job) -> None:
    """Others have the processor first; on Linux a session may count as one, whatever its processes are worth."""
    home = {"PAIRLENS_HOME": str(settings().home.resolve()), "PAIRLENS_DEBUG": "1"}
    with (one.folder / "output.log").open("ab") as output:
        child = subprocess.Popen(
            python("pairlens", *one.arguments, "--job", str(one.folder)),
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            env=environment({**os.environ, **home, visitors.VARIABLE: one.visitor}),
        )  # fmt: skip
    with contextlib.suppress(OSError, AttributeError):  # it has ended, or the system does not let us, as Windows
        os.setpriority(os.PRIO_PROCESS, child.pid, _NICENESS)
        Path(f"/proc/{child.pid}/autogroup").write_text(str(_NICENESS))
    _children.append(child)
    update(one.id, state="running", pid=child.pid, began=started_at(child.pid), started=time.time())


class JobReport:
    """A running command's reports about itself; those of one that is no job go nowhere."""

    def __init__(self, folder: Path | None) -> None:
        self._folder, self._written, self.outcome = folder, 0.0, dict[str, Any]()

    def progress(self, done: int, total: int, seconds_left: float | None = None) -> None:
        """Report progress; written at most twice a second, but always at the end."""
        now = time.monotonic()
        if self._folder and (now - self._written > 0.5 or done == total):
            self._written = now
            steps = {"done": done, "total": total, "seconds_left": seconds_left}
            write_json(self._folder / "progress.json", steps)

    def result(self, **values: Any) -> None:
        self.outcome.update(values)


@contextmanager
def reporting(folder: Path | None) -> Iterator[JobReport]:
    """Run a command as the job in `folder`, recording how it ends; None: not a job, nothing is recorded."""
    report = JobReport(folder)
    if folder is None:
        yield report
        return
    state, error = "failed", "It ended without an error message; see output.log in its folder."
    try:
        report.progress(0, 0)
        yield report
        state, error = "done", ""
    except PairlensError as stopped:
        error = stopped.message
        raise
    except KeyboardInterrupt:
        state, error = "cancelled", ""
        raise
    except Exception as unexpected:
        error = f"Something unexpected happened ({type(unexpected).__name__}); see output.log in its folder."
        raise
    finally:
        with _changing():
            if record_of(folder.name)["state"] == "running":
                how = {"state": state, "error": error, "message": packed(error), "result": report.outcome}
                update(folder.name, **how, finished=time.time())
        advance()
