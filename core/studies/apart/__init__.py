"""Files of visitors read, and checked, in a process of its own, whose time and memory are bounded.

    large                   whether a path is to be read in this way: it would take about a second or more
    items, reading          the items of a task; the same with the mistakes of rows that cannot be read
    readers                 the tasks that can read it
    checked                 the report of all checks (`core.studies.lint`)
    tried                   nothing, once a reader has read it: for what cannot be handed over

All raise InputError in words, also where the limits (`reading_seconds`, `reading_memory_mb`) do not suffice; `watch`
is told how far the process is, and ends it by raising (`core.files.apart`). JSON is handed over, line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from core.files.apart import Watch, printed
from core.files.row_mistakes import RowMistakes
from core.files.tables import label, unpacked_size
from core.messages import Message, unpacked
from core.settings import settings
from core.studies.lint import CHECKS, LintReport, Reading
from core.studies.lint.check import COLUMNS, Outcome
from core.tasks import TASKS
from core.tasks.pairs import Pairs
from core.types import Candidate, Item, Task

_LARGE_BYTES, _LARGE_LINES = 2_000_000, 20_000
_PROGRAM = "core.studies.apart.program"


def large(path: Path) -> bool:
    """Whether reading what is at a path may take a second or more; only as much is looked at as it takes to know."""
    n_bytes = n_lines = 0
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        if file.is_file():
            more_bytes, more_lines = unpacked_size(file, _LARGE_BYTES, _LARGE_LINES)
            n_bytes, n_lines = n_bytes + more_bytes, n_lines + more_lines
        if n_bytes > _LARGE_BYTES or n_lines > _LARGE_LINES:
            return True
    return False


def items(task: Task, path: Path, watch: Watch) -> list[Item]:
    """As `core.runs.readers.items_of`."""
    with _answer("items", path, watch, task=named(task)) as lines:
        return [item for line in lines for item, _ in _items(line, watch)]


def reading(request: Mapping[str, Any], path: Path, watch: Watch) -> Reading:
    """As `core.studies.lint.read_items`. `request` is `{"task": named(task)}`."""
    found: list[Item] = []
    rows: list[int | None] = []
    with _answer("reading", path, watch, **request) as lines:
        mistakes = _mistakes(json.loads(next(lines)))
        for line in lines:
            for item, row in _items(line, watch):
                found.append(item)
                rows.append(row)
    return Reading(tuple(found), rows, mistakes)


def readers(path: Path, watch: Watch) -> list[str]:
    """As `core.runs.readers.readers`."""
    with _answer("readers", path, watch) as lines:
        return [str(name) for name in json.loads(next(lines))]


def checked(request: Mapping[str, Any], path: Path, model: str, watch: Watch) -> LintReport:
    """The report of all checks, with the tokens of a model if one is named.

    `request` is `{"task": named(task)}` or `{"experiment": {"columns": ..., "layout": ...}}`.
    """
    with _answer("checked", path, watch, model=model, **request) as lines:
        answer = json.loads(next(lines))
    outcomes = [
        (CHECKS[name], Outcome(pd.DataFrame(rows, columns=[*COLUMNS]).astype(COLUMNS), n, of, sentence))
        for name, rows, n, of, sentence in answer["outcomes"]
    ]
    return LintReport(tuple(outcomes), answer["several_files"])


def tried(reader: str, path: Path, watch: Watch, **arguments: Any) -> None:
    """One of `program.TRIED` reads it."""
    with _answer("tried", path, watch, reader=reader, arguments=arguments):
        pass


def named(task: Task) -> dict[str, Any] | None:
    """A task as the process is told about it: its name and how its columns are read; None if it is another's."""
    if isinstance(task, Pairs):
        return {"name": task.name, "roles": asdict(task.roles), "layout": asdict(task.layout)}
    return {"name": task.name} if TASKS.get(task.name) == task else None


@contextmanager
def _answer(kind: str, path: Path, watch: Watch, **request: Any) -> Iterator[Iterator[str]]:
    seconds = settings().reading_seconds
    too_slow = Message("takes longer than {seconds:g} s, the limit (reading_seconds).", seconds=seconds)
    unusable = Message("cannot be read: the process that read it ended early; the log says more.")
    asked = json.dumps({"kind": kind, "path": str(path.resolve()), **request})
    with printed(_PROGRAM, [asked], label(path), unusable, too_slow, seconds, watch) as answer:
        yield iter(answer)


def _items(line: str, watch: Watch) -> Iterator[tuple[Item, int | None]]:
    """The items of one line, of a few hundred; between lines others get their turn."""
    watch(None)
    for id, gold, groups, candidates, row in json.loads(line):
        texts = tuple(
            Candidate(text, name, context, {region: (start, end) for region, (start, end) in regions.items()})
            for text, name, context, regions in candidates
        )
        yield Item(id, texts, gold, groups), row


def _mistakes(known: dict[str, Any]) -> RowMistakes:
    return RowMistakes([(number, unpacked(said)) for number, said in known["kept"]], known["n"], known["last"])
