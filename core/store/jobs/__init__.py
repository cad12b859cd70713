"""Long work in a child process that runs the same command line: start, watch, queue, cancel.

A job is a folder: `job.json` (arguments, state, process), `progress.json` (the child's heartbeat and progress) and
`output.log`. Everything about a job is read from its folder, so it survives page, browser and server; what it had
scored when it ended, however it ended, is in the store.
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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import PairlensError
from core.messages import packed
from core.settings import ROOT, settings
from core.store.files import write_json
from core.store.jobs.folder import ENDED, Job, all_jobs, locked, named, record_of, update
from core.store.processes import alive, started_at

__all__ = ["ENDED", "Job", "JobReport", "advance", "cancel", "job", "jobs", "reporting", "start"]

_GRACE_SECONDS = 3.0
_DAY = 86_400


def start(arguments: Sequence[str], title: str) -> Job:
    """Queue `pairlens ARGUMENTS` and start it if it is next. Jobs that ended long ago are deleted."""
    with locked():
        for one in _old(all_jobs()):
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
    """All jobs, newest first. The next queued one is started where a killed job could not do so."""
    found = all_jobs()
    if _free(found) and any(one.state == "queued" for one in found):
        advance()
        found = all_jobs()
    return found


def latest(arguments: Sequence[str]) -> Job | None:
    """The newest job with this command line."""
    return next((job for job in jobs() if job.arguments == tuple(arguments)), None)


def job(identifier: str) -> Job:
    """The job with that id; JobError if there is none."""
    return named(identifier, jobs())


def cancel(identifier: str) -> Job:
    """End a job and its child processes. Its scores stay; the same work, started again, continues from there."""
    with locked():
        one = named(identifier, all_jobs())
        if one.ended:
            return one
        record = record_of(identifier)
        update(identifier, state="cancelled")
    if one.state == "running":
        _end(record["pid"])
    advance()
    return job(identifier)


def advance() -> None:
    """Start queued jobs, oldest first, while fewer than `settings().jobs_at_once` run."""
    with locked():
        found = all_jobs()
        queue = [one for one in reversed(found) if one.state == "queued"]
        for one in queue[: _free(found)]:
            _spawn(one)


@contextmanager
def reporting(folder: Path | None) -> Iterator[JobReport]:
    """Run a command as the job in `folder`, recording how it ends; None: not a job, nothing is recorded."""
    if folder is None:
        yield JobReport(None)
        return
    report = JobReport(folder)
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
        with locked():
            if record_of(folder.name)["state"] == "running":
                update(folder.name, state=state, error=error, message=packed(error), result=report.outcome)
        advance()


class JobReport:
    """A running command's reports about itself."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._written = 0.0
        self.outcome: dict[str, Any] = {}

    def progress(self, done: int, total: int, seconds_left: float | None = None) -> None:
        """Report progress; written at most twice a second, but always at the end."""
        now = time.monotonic()
        if self._folder and (now - self._written > 0.5 or done == total):
            self._written = now
            steps = {"done": done, "total": total, "seconds_left": seconds_left}
            write_json(self._folder / "progress.json", steps)

    def result(self, **values: Any) -> None:
        """Report results, for whoever watches the job."""
        self.outcome.update(values)


def _old(found: Sequence[Job]) -> list[Job]:
    """Of these jobs, newest first, those that ended more than `settings().job_days` days ago.

    Never the newest of its verb: pages still report how it ended, to whoever comes back late.
    """
    newest = {one.arguments[0]: one.id for one in reversed(found)}
    earlier = [one for one in found if one.ended and newest[one.arguments[0]] != one.id]
    return [one for one in earlier if _days_unchanged(one) > settings().job_days]


def _days_unchanged(one: Job) -> float:
    return (time.time() - max(file.stat().st_mtime for file in one.folder.iterdir())) / _DAY


def _free(found: Sequence[Job]) -> int:
    """How many more jobs may run."""
    return max(0, settings().jobs_at_once - sum(one.state == "running" for one in found))


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
    update(one.id, state="running", pid=child.pid, began=started_at(child.pid), started=time.time())


def _end(pid: int) -> None:
    """Ask a job's process group to end, then kill it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, number)
        patience = time.monotonic() + _GRACE_SECONDS
        while alive(pid) and time.monotonic() < patience:
            time.sleep(0.05)
        if not alive(pid):
            return
