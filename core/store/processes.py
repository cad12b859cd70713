"""Whether a process with a recorded id still runs."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_STARTED = 19
"""The field of /proc/PID/stat, counted after the program's name, with its start in ticks since the system's."""


def alive(pid: object, started: int | None = None) -> bool:
    """Whether a process still runs; an ended child of ours is reaped, so that it does not seem alive.

    Ids are reused, soon after a restart of the machine or container: `started` (from `started_at`) rules out another
    process with the same id.
    """
    if not isinstance(pid, int) or pid <= 0:
        return False
    try:
        with contextlib.suppress(ChildProcessError):
            if os.waitpid(pid, os.WNOHANG)[0]:
                return False
        with contextlib.suppress(PermissionError):
            os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    return started is None or started_at(pid) in (started, None)


def started_at(pid: int) -> int | None:
    """The start of a process, which tells it from a later one with the same id; None if unknown (macOS)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return int(fields[_STARTED])
    except (OSError, ValueError, IndexError):
        return None
