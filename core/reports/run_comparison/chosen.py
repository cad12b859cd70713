"""The runs that are compared, read back from the store."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from core.errors import InputError, PolicyError, StoreError, unknown
from core.policies import Policy
from core.runs.recomputed import stored_metrics
from core.runs.requests import task_of
from core.runs.result import names_of
from core.store import Store
from core.types import Task

MOST = 24
"""Runs that are compared at once: every pair of them is."""


@dataclass(frozen=True)
class Run:
    """A finished run. `name` tells it from those beside it, `metrics` are its numbers (`core.analysis.summary`)."""

    name: str
    manifest: Mapping[str, Any]
    task: Task
    metrics: pd.DataFrame
    store: Store

    @property
    def id(self) -> str:
        """Its id in the store."""
        return str(self.manifest["run_id"])

    @property
    def rule(self) -> str:
        """How candidates were asked about; manifests without it are older than the choice."""
        return str(self.manifest.get("rule", self.task.rules[0]))

    @cached_property
    def policy(self) -> Policy:
        """The choices that it was scored and judged by."""
        return Policy(**self.manifest["policy"])

    @cached_property
    def candidates(self) -> pd.DataFrame:
        """Its candidate table (`core.metrics`), read when it is first needed."""
        return self.store.candidates(self.id)


def read_runs(store: Store, run_ids: Sequence[str]) -> list[Run]:
    """The runs of these ids, in this order.

    Raises InputError for fewer than two, too many, duplicates, or runs of different tasks; StoreError
    for one that is not stored, with the nearest that is, or not finished.
    """
    _refuse_numbers(run_ids)
    manifests = [_finished(store, run_id) for run_id in run_ids]
    names = names_of(manifests)
    found = [
        Run(name, manifest, task_of(manifest), stored_metrics(store, manifest["run_id"]), store)
        for name, manifest in zip(names, manifests, strict=True)
    ]
    for other in found[1:]:
        if other.task.name != found[0].task.name:
            raise InputError(
                f"'{found[0].id}' is a run of {found[0].task.title} and '{other.id}' one of {other.task.title}: "
                "their numbers answer different questions. Choose runs of one task."
            )
    return found


def chosen_metric(runs: Sequence[Run], name: str = "") -> str:
    """A metric that all runs have, by default the first run's headline; PolicyError with the choices."""
    common = metrics_of(runs)
    if name and name not in common:
        raise PolicyError(unknown("metric of all these runs", name, common))
    if not common:
        raise InputError("These runs have no number in common: their rules allow different ones.")
    return name or common[0]


def metrics_of(runs: Sequence[Run]) -> list[str]:
    """The metrics that all of these runs have, in the first one's order."""
    first, *others = (run.metrics["name"].unique().tolist() for run in runs)
    return [name for name in first if all(name in other for other in others)]


def newest_of_one_task(runs: pd.DataFrame) -> list[str]:
    """The newest finished run that has a number and the newest other one of its task, the same data first; else none.

    `runs` are as `Store.runs` lists them, with `run_id` as index.
    """
    measured = runs[(runs["state"] == "done") & runs["value"].notna()]
    for run_id, one in measured.iterrows():
        others = measured[(measured["task"] == one["task"]) & (measured.index != run_id)]
        if len(others):
            same = others[others["data"] == one["data"]]
            return [str(run_id), str((same if len(same) else others).index[0])]
    return []


def _refuse_numbers(run_ids: Sequence[str]) -> None:
    if len(run_ids) < 2:
        raise InputError("A comparison needs two or more runs: choose another one.")
    if len(run_ids) > MOST:
        raise InputError(f"At most {MOST} runs can be compared at once, not {len(run_ids)}: leave some out.")
    for run_id in run_ids:
        if run_ids.count(run_id) > 1:
            raise InputError(f"Run '{run_id}' is named twice: choose a different one to compare it with.")


def _finished(store: Store, run_id: str) -> dict[str, Any]:
    try:
        manifest = store.manifest(run_id)
    except StoreError as error:
        near = difflib.get_close_matches(run_id, store.runs()["run_id"], n=1, cutoff=0.6)
        guess = f"Did you mean '{near[0]}'?" if near else "The page Results lists all runs."
        raise StoreError(f"{error} {guess}") from None
    if manifest["state"] != "done":
        why = manifest.get("error", "Compare it once it has finished.")
        raise StoreError(f"Run '{run_id}' is {manifest['state']}, so it has no numbers yet. {why}")
    return manifest
