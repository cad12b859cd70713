"""What every checkpoint reaches on the fast sets, from its predictions and the data they are about."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from core.analysis import reading
from core.analysis.summary import metrics_under
from core.errors import InputError
from core.files.suites import Entry, Suite, check_sizes
from core.metrics import METRICS
from core.reports.submission.pieces import MISSING, Piece, judged, kept_back
from core.runs import predictions
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
