"""Which tasks can read a file: their formats are tried, because a file's name says little."""

from __future__ import annotations

from pathlib import Path

from core.errors import PairlensError
from core.tasks import TASKS

_ANY_TABLE = ("pairs", "qfrblimp")
"""Tasks that read whatever has two columns of texts: they come last."""


def readers(path: Path) -> list[str]:
    """The names of the tasks that can read the first item at a path, the likeliest first; none if no format fits.

    A task that the file is named after comes first, those for any table last.
    """
    specific = [name for name in TASKS if name not in _ANY_TABLE and _reads(name, path)]
    named_first = sorted(specific, key=lambda name: name not in path.name.lower())
    return [*named_first, *(name for name in _ANY_TABLE if _reads(name, path))]


def _reads(task: str, path: Path) -> bool:
    try:
        return next(iter(TASKS[task].read(path)), None) is not None
    except PairlensError:
        return False
