"""The pieces of a submission: result files as they lie in the folder of a model's revision."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis import reading
from core.analysis.summary import metrics_under
from core.errors import InputError
from core.files.suites import Entry, Suite, check_sizes
from core.files.tables import read_json
from core.metrics import METRICS
from core.runs import predictions
from core.runs.formats import REPORT
from core.tasks import TASKS
from core.types import Item, Metric, Task


@dataclass(frozen=True, slots=True)
class Reached:
    """What one checkpoint reaches, by paradigm; None without usable predictions. `fault` says what is wrong.

    `absent` is why there are no predictions, where that is known.
    """

    values: dict[str, float | None] | None
    fault: str = ""
    absent: tuple[str, ...] = ()


def fast_results(
    home: Path, backend: str, suite: Suite, checkpoints: Sequence[str], evaluation_data: Path
) -> tuple[dict[str, list[Any]], list[Piece]]:
    """By key, one entry per checkpoint in their order, None where there is nothing; and how each piece is.

    Keys of which no checkpoint has anything are left out. `home` is the folder of the model.
    """
    lists: dict[str, list[Any]] = {}
    pieces: list[Piece] = []
    for part in suite.parts(evaluation_data, fast=True):
        entry = part.entry
        if part.path is None:
            pieces.append(Piece(entry.key, "fast", MISSING, f"its data are not at {part.expected}."))
            continue
        items = list(TASKS[entry.task].read(part.path))
        results = {name: _reached(entry, items, home / name, backend) for name in checkpoints}
        if any(result.values for result in results.values()):
            lists[entry.key] = [result.values for result in results.values()]
        pieces.append(_piece(entry, results))
    return lists, pieces


def _piece(entry: Entry, results: Mapping[str, Reached]) -> Piece:
    lacking = [name for name, result in results.items() if result.values is None and not result.fault]
    faults = [f"{name}: {result.fault}" for name, result in results.items() if result.fault]
    said = f"{len(lacking)} of {len(results)} checkpoints are not evaluated: {', '.join(lacking)}."
    why = dict.fromkeys(reason for result in results.values() for reason in result.absent)
    return judged(entry.key, "fast", [said, *why] if lacking else [], faults)


def _reached(entry: Entry, items: Sequence[Item], folder: Path, backend: str) -> Reached:
    path = folder / entry.fast.results_of(backend) if entry.fast else folder
    task = TASKS[entry.task]
    if not path.is_file():
        return Reached(None, absent=tuple(kept_back(task, path)))
    try:
        candidates = _candidates(task, items, path)
        sizes = {str(uid): part["item"].nunique() for uid, part in candidates.groupby(task.averaged[-1])}
        return Reached(dict(_values(entry, task, candidates)), " ".join(check_sizes(entry, sizes, fast=True)))
    except InputError as error:
        found = f"{path} does not fit the data" if task.confidential else str(error).rstrip(".")
        return Reached(None, f"{found}.")


def _candidates(task: Task, items: Sequence[Item], path: Path) -> pd.DataFrame:
    if task.prediction == "surprisal":
        return reading.candidate_table(reading.read_predictions(path), items)
    return predictions.candidates_of(task, items, predictions.read(path))


def _values(entry: Entry, task: Task, candidates: pd.DataFrame) -> Iterator[tuple[str, float | None]]:
    """The numbers of predictions by the rules of the BabyLM pipeline: ties are correct."""
    if entry.values:
        for name, of in entry.values.items():
            yield name, _value(METRICS[of], candidates)
        return
    metric = METRICS[metrics_under(task)[0]]
    if not (metric.averages or predictions.knows_probabilities(candidates)):
        raise InputError(f"{metric.title} needs the probability of every prediction ('prob')")
    for uid, part in candidates.groupby(task.averaged[-1], sort=False):
        yield str(uid), _value(metric, part)


def _value(metric: Metric, candidates: pd.DataFrame) -> float | None:
    statistics = metric.statistics(candidates, predictions.POLICY)
    value = metric.value(statistics[statistics["excluded"].isna()])
    return None if math.isnan(value) else value


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
