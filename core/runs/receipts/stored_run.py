"""A run's manifest, requests, candidates and numbers, whether or not it is finished."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from core.policies import Policy
from core.rules import RULES, Rule
from core.runs.recomputed import stored_metrics
from core.store import Store
from core.tasks import TASKS
from core.types import Task


@dataclass(frozen=True, eq=False)
class StoredRun:
    """`candidates` and `metrics` as in the store; `metrics` has no rows if the run is not finished.

    `requests` has one row per item, candidate and term (`core.store.runs.ITEMS`); it is empty where only the numbers
    are needed.
    """

    manifest: Mapping[str, Any]
    task: Task
    policy: Policy
    candidates: pd.DataFrame
    metrics: pd.DataFrame
    requests: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def rule(self) -> Rule:
        """The rule by which candidates became requests."""
        return RULES[self.manifest.get("rule") or self.task.rules[0]]

    @property
    def finished(self) -> bool:
        """Whether the run is done."""
        return bool(self.manifest["state"] == "done")

    @property
    def refused(self) -> Mapping[str, str]:
        """Why items could not be scored, by item."""
        return self.manifest.get("refused") or {}


def stored_run(store: Store, run_id: str) -> StoredRun:
    """The run of that id; StoreError if there is none, or if it ended before its items were stored."""
    manifest = store.manifest(run_id)
    return StoredRun(
        manifest,
        TASKS[manifest["task"]],
        Policy(**manifest["policy"]),
        store.candidates(run_id),
        stored_metrics(store, run_id) if manifest["state"] == "done" else pd.DataFrame(),
        store.items(run_id),
    )
