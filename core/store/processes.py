"""Whether a process that wrote its number down still runs."""

from __future__ import annotations

import contextlib
import os


def alive(pid: object) -> bool:
    """Whether a process still runs; a child of ours that ended is reaped, so that it does not seem alive."""
    if not isinstance(pid, int):
        return False
    with contextlib.suppress(ChildProcessError):
        ended, _ = os.waitpid(pid, os.WNOHANG)
        return ended == 0
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
