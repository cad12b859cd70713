"""Benchmark files for tests, and what is said when one is refused."""

from __future__ import annotations

import json
from pathlib import Path

from pairlens.tasks import TASKS
from pairlens.types import Item
from tests.refusals import error_of


def write(path: Path, *records: object) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def read(task: str, path: Path) -> list[Item]:
    """All items of a file or folder."""
    return list(TASKS[task].read(path))


def refusal(task: str, path: Path) -> str:
    """The one line with which the task refuses a file or folder."""
    return error_of(lambda: read(task, path))
