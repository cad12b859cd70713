"""Runs that are checkpoints of one model: their numbers against what each had seen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.reports.run_comparison.runs import Run
from core.scoring.checkpoints import says_training, seen
from core.store import Store, sweeps

ALL = "all items"
_QUESTION = ("task_version", "rule", "data_hash", "scorer", "policy")
_LAST = re.compile(r"[/@]")


@dataclass(frozen=True, slots=True)
class Moment:
    """A checkpoint's name and how much it had seen, in `unit`; None if its name does not say."""

    name: str
    words: int | None
    unit: str


def moments(runs: Sequence[Run], store: Store) -> Mapping[str, Moment]:
    """By run id, when in the training of one model each run was made; empty if they are no checkpoints of one.

    They are if a stored sweep says so, or if they are named as checkpoints (`core.scoring.checkpoints.seen`) of one
    folder or repository, were asked the same under the same policy, and at least two say how much they had seen, in
    one unit.
    """
    first, *others = runs
    if any(other.manifest.get(field) != first.manifest.get(field) for other in others for field in _QUESTION):
        return {}
    found = _of_a_sweep(runs, store) or _by_name(runs)
    known = [one for one in found.values() if one.words]
    if len({one.words for one in known}) < 2 or len({one.unit for one in known}) > 1:
        return {}
    return found


def curve(values: pd.DataFrame, runs: Sequence[Run], found: Mapping[str, Moment]) -> pd.DataFrame:
    """Points for `core.charts.run_numbers.over_training`: a line for all items and one per group, in their order.

    `values` is of `core.reports.run_comparison.numbers`. Columns: line, checkpoint, words, unit, value, low, high, n,
    same_as (the earlier checkpoint with the same weights, else empty). Checkpoints of unknown age are not in it.
    """
    earlier: dict[str, str] = {}
    same: dict[str, str] = {}
    for run in sorted(runs, key=lambda one: found[one.id].words or 0):
        same[run.id] = earlier.get(run.manifest["weights"], "")
        earlier.setdefault(run.manifest["weights"], found[run.id].name)
    overall = values["group_by"] == "overall"
    rows = values.assign(
        line=values["group"].where(~overall, ALL),
        checkpoint=values["run_id"].map({id: one.name for id, one in found.items()}),
        words=values["run_id"].map({id: one.words for id, one in found.items()}),
        unit=values["run_id"].map({id: one.unit for id, one in found.items()}),
        same_as=values["run_id"].map(same),
    )
    columns = ["line", "checkpoint", "words", "unit", "value", "low", "high", "n", "same_as"]
    return rows[rows["words"] > 0].sort_values("words", kind="stable")[columns].reset_index(drop=True)


def _of_a_sweep(runs: Sequence[Run], store: Store) -> dict[str, Moment]:
    """From the newest sweep that has all of these runs."""
    wanted = {run.id for run in runs}
    for sweep in sweeps.sweeps(store):
        points = {point.run_id: Moment(point.name, point.words, point.unit) for point in reversed(sweep.points)}
        if wanted <= points.keys():
            return {run_id: points[run_id] for run_id in wanted}
    return {}


def _by_name(runs: Sequence[Run]) -> dict[str, Moment]:
    """From the last part of the models' names, if what stands before it is the same."""
    parts = {run.id: _LAST.split(str(run.manifest["model"])) for run in runs}
    told = [name for *_, name in parts.values() if says_training(name)]
    if not told or len({tuple(part[:-1]) for part in parts.values()}) > 1:
        return {}
    return {run_id: Moment(part[-1], *seen(part[-1])) for run_id, part in parts.items()}
