"""Whether a process with a recorded id still runs, how it is ended, and why it does not run."""

import contextlib
import os
import shutil
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

_WINDOWS = os.name == "nt"
_KILLED = -9
_STARTED = 19
"""The field of /proc/PID/stat, counted after the program's name, with its start in ticks since the system's."""
_ENDED = "ZX"
"""States in its first field of a process that only its parent still lists."""
_FULL = 1_000_000
"""A disk with fewer free bytes is full: not even a record of an error fits for sure."""
_ended: dict[tuple[int, int | None], int] = {}
"""The exit statuses of our own children that were reaped here, by id and start; negative: a signal."""


def alive(pid: object, started: int | None = None) -> bool:
    """Whether a process still runs; an ended child of ours is reaped. `started` (from `started_at`) rules out another
    process with the same id, since ids are reused soon after a restart.
    """
    if not isinstance(pid, int) or pid <= 0:
        return False
    fields = _fields(pid)
    if _WINDOWS:  # where a signal of number 0 is a Ctrl-C
        return bool(psutil.pid_exists(pid))
    if fields and started not in (None, int(fields[_STARTED])):
        return False
    try:
        with contextlib.suppress(ChildProcessError):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                _ended[pid, started] = os.waitstatus_to_exitcode(status)
                return False
        with contextlib.suppress(PermissionError):
            os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    return not fields or fields[0] not in _ENDED  # there, but its parent has not asked how it ended


def started_at(pid: int) -> int | None:
    """The start of a process, which tells it from a later one with the same id; None if unknown (macOS)."""
    fields = _fields(pid)
    return int(fields[_STARTED]) if fields else None


def end(pid: int, seconds: float, *, group: bool = False) -> None:
    """Ask a process, or its whole group, to end, then kill it if it still runs after so many seconds."""
    if _WINDOWS:  # where nothing can be asked
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            for one in [*(process.children(recursive=True) if group else ()), process]:
                one.kill()
        return
    send = os.killpg if group else os.kill
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            send(pid, number)
        patience = time.monotonic() + seconds
        while alive(pid) and time.monotonic() < patience:
            time.sleep(0.05)
        if not alive(pid):
            return


def _fields(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the program's name; empty where there are none (macOS)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return []


def why_ended(record: Mapping[str, Any], started: float | None, folder: Path, again: str) -> str:
    """Why a process ended that could not say so itself, as far as this can be known here.

    `record` has its `pid` and, as for `alive`, `began`; `started` is in seconds since 1970; `folder`: where it wrote;
    `again`: how it continues.
    """
    status = _ended.get((record["pid"], record.get("began")), 0) if isinstance(record.get("pid"), int) else 0
    full, booted = False, 0.0
    with contextlib.suppress(OSError):  # deleted a moment ago
        full = shutil.disk_usage(folder).free < _FULL
    with contextlib.suppress(OSError, ValueError, IndexError):  # unknown, as on macOS
        booted = float(Path("/proc/stat").read_text("ascii").partition("\nbtime ")[2].split()[0])
    if full:
        return f"Its process ended; the disk of {folder} is full now: make room, then {again} to continue."
    why = "Its process was ended from outside, by a kill, a shutdown or a lack of memory"
    if status == _KILLED:
        why = "Its process was killed (signal 9), by somebody or for lack of memory"
    elif status < 0:
        why = f"Its process was ended from outside (signal {-status})"
    elif started is not None and started < booted:
        why = "The machine was shut down or restarted while it ran"
    elif status:
        why = f"Its process ended with exit status {status} and could not record why"
    return f"{why}; {again} to continue."
