"""The pieces of a submission: result files as they lie in the folder of a model's revision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files.tables import read_json
from core.runs.formats import REPORT
from core.types import Task

PRESENT, FAULTY, MISSING, ELSEWHERE = "present", "faulty", "missing", "not covered here"
_EXPECTED = '{"<UID>": {"predictions": [...]}}, or for age of acquisition {"results": [{"step": ...}, ...]}'
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a submission: the key of a benchmark, `full` or `fast` or neither, its state, and what to know."""

    key: str
    items: str
    state: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Taken:
    """What some files hold together, a sentence for each that is not there, and one for each that cannot be read."""

    content: dict[str, Any]
    missing: tuple[str, ...]
    faults: tuple[str, ...]


def take(folder: Path, paths: Sequence[str]) -> Taken:
    """The contents of these files below a folder, as far as they are there and in the format."""
    content: dict[str, Any] = {}
    missing: list[str] = []
    faults: list[str] = []
    for path in paths:
        if not (folder / path).is_file():
            missing.append(f"there is no {folder / path}.")
            continue
        try:
            content |= _read(folder / path)
        except InputError as error:
            faults.append(str(error))
    return Taken(content, tuple(missing), tuple(faults))


def kept_back(task: Task, path: Path) -> list[str]:
    """Why a confidential task has no predictions at this path although it was run, as a report there tells."""
    if not task.confidential or path.is_file() or not (path.parent / REPORT).is_file():
        return []
    return [f"{task.title} was run, but predictions hold its texts: they are written only with --write-confidential."]


def counts(content: Mapping[str, Any]) -> dict[str, int]:
    """How many predictions there are by paradigm, or by checkpoint for age of acquisition."""
    if isinstance(content.get("results"), list):
        return dict(Counter(str(result["step"]) for result in content["results"]))
    return {uid: len(entry["predictions"]) for uid, entry in content.items()}


def unscored(key: str, content: Mapping[str, Any]) -> list[str]:
    """A sentence if predictions are empty, as Pairlens writes them for items that could not be scored."""
    rows = (
        row for entry in content.values() for row in (entry.get("predictions", ()) if type(entry) is dict else ())
    )
    n = sum(row.get("pred") == "" for row in rows)
    return [f"{key}: {n:,} predictions are empty, these items could not be scored."] if n else []


def judged(key: str, items: str, missing: Sequence[str], faults: Sequence[str]) -> Piece:
    """The piece for which this was found: missing if anything is, else faulty or present, with the first reasons."""
    reasons = [*missing, *faults]
    more = f" And {len(reasons) - _NAMED} more." if len(reasons) > _NAMED else ""
    state = MISSING if missing else FAULTY if faults else PRESENT
    return Piece(key, items, state, " ".join(reasons[:_NAMED]) + more)


def _read(path: Path) -> dict[str, Any]:
    content = read_json(path, _EXPECTED, nan=True)
    try:
        counts(content)
        unscored("", content)
    except (TypeError, KeyError, AttributeError):
        raise InputError(f"expected {_EXPECTED}.", str(path)) from None
    return dict(content)
