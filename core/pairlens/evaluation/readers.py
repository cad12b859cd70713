"""Which tasks can read a file, found by trying their formats: names of files say little."""

from collections.abc import Iterator
from pathlib import Path

from pairlens.errors import InputError, PairlensError
from pairlens.files.apart import counted
from pairlens.files.row_mistakes import collected
from pairlens.messages import joined, one_or_more
from pairlens.tasks import TASKS
from pairlens.types import Item, Task

_PASSED_OVER = 10_000
"""So many rows with mistakes are passed over in the search for one that a task can read."""


def readers(path: Path) -> list[str]:
    """The names of the tasks that can read the first item at a path, or one after bad rows, the likeliest first:
    those named in the file's name, then others, first those that models are asked about, then those that read any
    table.
    """
    fitting = [name for name in TASKS if reads(name, path)]
    if not fitting:
        fitting = [name for name in TASKS if reads(name, path, passed_over=_PASSED_OVER)]
    file_name = path.name.lower()
    return sorted(
        fitting, key=lambda name: (TASKS[name].any_table, -len(name) * (name in file_name), bool(TASKS[name].instead))
    )


def items_of(task: Task, path: Path) -> Iterator[Item]:
    """The task's items; where not even the first can be read, the InputError names the tasks that can read it."""
    item = None
    try:
        for item in counted(task.read(path)):
            yield item
    except InputError as error:
        if item is not None or not path.exists() or not (others := readers(path)):
            raise
        named = {"n": len(others), "tasks": ", ".join(others)}
        hint = one_or_more("The task {tasks} can read it.", "The tasks {tasks} can read it.", **named)
        raise InputError(joined((error.message, hint), " " if error.message.endswith(".") else ". ")) from None


def reads(task: str, path: Path, passed_over: int = 0) -> bool:
    """Whether a task reads the first item at a path, or one after so many bad rows."""
    try:
        with collected(passed_over):
            return next(iter(TASKS[task].read(path)), None) is not None
    except PairlensError:
        return False
