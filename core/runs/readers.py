"""Which tasks can read a file, found by trying their formats: names of files say little."""

from __future__ import annotations

from pathlib import Path

from core.errors import PairlensError
from core.tasks import TASKS


def readers(path: Path) -> list[str]:
    """The names of the tasks that can read the first item at a path, the likeliest first.

    A task named in the file's name comes first, tasks that read any table last.
    """
    fitting = [name for name in TASKS if _reads(name, path)]
    return sorted(fitting, key=lambda name: (TASKS[name].any_table, name not in path.name.lower()))


def _reads(task: str, path: Path) -> bool:
    try:
        return next(iter(TASKS[task].read(path)), None) is not None
    except PairlensError:
        return False
