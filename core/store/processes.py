"""Whether a process that wrote its number down still runs."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_STARTED = 19
"""Of the fields in /proc/PID/stat that follow the program's name: when it started, in ticks since the machine did."""


def alive(pid: object, started: int | None = None) -> bool:
    """Whether a process still runs; a child of ours that ended is reaped, so that it does not seem alive.

    Numbers are given again, after a restart of machine or container soon: with `started` (`started_at`), another
    process of that number is not taken for it.
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
    """What tells a process from a later one of the same number; None where the system does not say (macOS)."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        return int(told.rpartition(")")[2].split()[_STARTED])
    except (OSError, ValueError, IndexError):
        return None
