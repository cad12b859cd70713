"""The process of `core.studies.apart`: `python -m core.studies.apart.program REQUEST`, which is JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import PairlensError
from core.files.apart import bound, end, fail, say
from core.messages import Message
from core.settings import settings
from core.types import Item, Task

_AT_ONCE = 500
"""Items of one line: to decode more would make others wait."""
_EVERY_SECONDS = 0.3


def main(request: dict[str, Any]) -> int:
    """Print the answer; what is wrong with the file goes to whoever asked, and the status is 1."""
    memory = settings().reading_memory_mb
    bound(memory, settings().reading_seconds)
    room = memory << 20
    try:
        for line in _KINDS[request["kind"]](request, Path(request["path"])):
            if (room := room - sys.stdout.write(json.dumps(line) + "\n")) < 0:
                raise MemoryError
    except PairlensError as error:
        return fail(error.message, placed=True)
    except MemoryError:
        said = Message("cannot be read within {memory:,} MB of memory (reading_memory_mb).", memory=memory)
        return fail(said, memory=True)
    return end()


def _items(request: dict[str, Any], path: Path) -> Iterator[object]:
    from core.runs.readers import items_of

    found = [*_counted(items_of(_task(request["task"]), path))]  # whoever asks needs as much memory
    for start in range(0, len(found), _AT_ONCE):
        yield [_plain(item, None) for item in found[start : start + _AT_ONCE]]


def _reading(request: dict[str, Any], path: Path) -> Iterator[object]:
    from core.messages import packed

    read = _read(request, path)
    kept = [(number, packed(said)) for number, said in read.mistakes.kept]
    yield {"kept": kept, "n": read.mistakes.n, "last": read.mistakes.last}
    for start in range(0, len(read.items), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        yield [_plain(item, row) for item, row in zip(read.items[part], read.rows[part], strict=True)]


def _readers(_: dict[str, Any], path: Path) -> Iterator[object]:
    from core.runs.readers import readers

    yield readers(path)


def _checked(request: dict[str, Any], path: Path) -> Iterator[object]:
    from core.models import find
    from core.studies.lint import lint, lint_design, token_counter

    read = _read(request, path)
    known: dict[str, Any] = {"mistakes": read.mistakes, "looked": lambda done, of: say(done=done, of=of)}
    if request["model"]:
        known["counter"] = token_counter(find(request["model"]))
    if read.design:
        report = lint_design(read.design, **known)
    else:
        report = lint(read.items, source=path, rows=read.rows, **known)
    outcomes = []
    for check, outcome in report.outcomes:
        rows = outcome.table.astype(object).where(outcome.table.notna(), None).to_numpy().tolist()
        outcomes.append([check.name, rows, int(outcome.n), int(outcome.of), outcome.sentence])
    yield {"outcomes": outcomes, "several_files": report.several_files}


def _tried(request: dict[str, Any], path: Path) -> Iterator[object]:
    TRIED[request["reader"]](path, **request["arguments"])
    yield from ()


def _read(request: dict[str, Any], path: Path) -> Any:
    from core.studies.lint import read_experiment, read_items

    if experiment := request.get("experiment"):
        return read_experiment(lambda: _design(path, experiment))
    return read_items(lambda path: _counted(_task(request["task"]).read(path)), path)


def _design(path: Path, given: Mapping[str, Any]) -> Any:
    from core.analysis.experiment import Columns
    from core.files.tables import read_table
    from core.studies.experiment.design import read_design

    columns = Columns(**{**given["columns"], "conditions": tuple(given["columns"]["conditions"])})
    table = read_table(path, **given["layout"])
    return read_design(table, columns, path.name)


def _task(given: Mapping[str, Any]) -> Task:
    from core.files.tables import Layout
    from core.tasks import TASKS
    from core.tasks.pairs import Roles, with_columns

    task = TASKS[given["name"]]
    if "roles" not in given:
        return task
    roles = Roles(**{**given["roles"], "group": tuple(given["roles"]["group"])})
    return with_columns(task, roles, Layout(**given["layout"]))


def _counted(items: Iterable[Item]) -> Iterator[Item]:
    """The items, while it is said how many there are so far."""
    said = time.monotonic()
    for n, item in enumerate(items, start=1):
        if time.monotonic() - said > _EVERY_SECONDS:
            said = time.monotonic()
            say(items=n)
        yield item


def _plain(item: Item, row: int | None) -> list[object]:
    candidates = [(one.text, one.label, one.context, dict(one.regions)) for one in item.candidates]
    return [item.id, item.gold, dict(item.groups), candidates, row]


def _table(path: Path, **layout: str) -> None:
    from core.files.row_mistakes import collected
    from core.files.tables import read_table

    with collected():
        read_table(path, **layout)


def _experiment(path: Path, experiment: Mapping[str, Any]) -> None:
    _read({"experiment": experiment}, path)


def _corpus(path: Path, system: str, columns: Mapping[str, str]) -> None:
    from core.files.nli.readers import read_corpus

    read_corpus(path, system, columns)


def _answers(path: Path, columns: Mapping[str, str]) -> None:
    from core.studies.nli.predicted import read_predictions

    read_predictions(path, columns)


def _lesson(path: Path) -> None:
    from core.studies.lesson.lesson import read

    read(path)


def _text(path: Path, column: str) -> None:
    from core.training.corpus import read_corpus

    read_corpus([path], column)


def _guesses(path: Path) -> None:
    from core.files.tables import guesses

    guesses(path)


def _scores(path: Path) -> None:
    from core.studies.stereoset.predictions import read_predictions

    read_predictions(path)


def _examples(path: Path) -> None:
    from core.files.stereoset.reading import read_examples
    from core.files.tables import files
    from core.tasks.stereoset import ENDINGS

    read_examples(*files(path, ENDINGS))


_KINDS: Mapping[str, Callable[[dict[str, Any], Path], Iterator[object]]] = {
    "items": _items, "reading": _reading, "readers": _readers, "checked": _checked, "tried": _tried,
}  # fmt: skip
TRIED: Mapping[str, Callable[..., None]] = {
    "table": _table, "experiment": _experiment, "corpus": _corpus, "answers": _answers, "examples": _examples,
    "lesson": _lesson, "text": _text, "guesses": _guesses, "scores": _scores,
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
