"""How much memory this process needs for something."""

import ctypes
import math
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def grown(work: Callable[[], T], most: float = math.inf) -> tuple[T, float]:
    """What `work` returns, and how many MiB were needed meanwhile beyond what is there now; 0 where nobody counts.

    If that is `most` or more it is done again, twice at most: what is imported meanwhile needs memory, too. Limits of
    some megabytes want a process in which nothing else happens (`tests.forked.call`).
    """
    for _ in range(3):
        forget_peak()
        before = resident("VmRSS")
        result, needed = work(), max(0.0, resident("VmHWM") - before)
        if needed < most:
            break
    return result, needed


def resident(field: str) -> float:
    """`VmRSS` (now) or `VmHWM` (the most since `forget_peak`) of this process in MiB; 0 where nobody counts it."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(field)), 0.0)


def forget_peak() -> None:
    """Give freed memory back to the system, and let the peak be counted from now on."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
