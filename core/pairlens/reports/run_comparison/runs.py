"""The runs that are compared, read back from the store."""

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.paired import QUESTION
from pairlens.errors import InputError, PolicyError, StoreError, unknown
from pairlens.evaluation.evaluate import stored_metrics
from pairlens.evaluation.requests import task_of
from pairlens.evaluation.result import names_of
from pairlens.policies import Policy
from pairlens.store import Store
from pairlens.types import Task

ELSEWHERE = ("choices", "answers")
"""Tasks of runs that other programs made, whose items may be those of any task."""
MOST = 24
"""Runs that are compared at once: every pair of them is."""


@dataclass(frozen=True)
class Run:
    """A finished run. `name` tells it from those beside it, `metrics` are its numbers
    (`pairlens.analysis.summary`)."""

    name: str
    manifest: Mapping[str, Any]
    task: Task
    metrics: pd.DataFrame
    store: Store

    @property
    def id(self) -> str:
        return str(self.manifest["run_id"])

    @property
    def rule(self) -> str:
        """How candidates were asked about; manifests without it are older than the choice."""
        return str(self.manifest.get("rule", self.task.rules[0]))

    @cached_property
    def policy(self) -> Policy:
        return Policy(**self.manifest["policy"])

    @cached_property
    def candidates(self) -> pd.DataFrame:
        """Its candidate table (`pairlens.metrics`), read when it is first needed."""
        return self.store.candidates(self.id)


def read_runs(store: Store, run_ids: Sequence[str]) -> list[Run]:
    """The runs of these ids, in this order; InputError or StoreError for those that cannot be compared."""
    if len(run_ids) < 2:
        raise InputError("A comparison needs two or more runs: choose another one.")
    if len(run_ids) > MOST:
        raise InputError(f"At most {MOST} runs can be compared at once, not {len(run_ids)}: leave some out.")
    if twice := next((run_id for run_id in run_ids if run_ids.count(run_id) > 1), ""):
        raise InputError(f"Run '{twice}' is named twice: choose a different one to compare it with.")
    manifests = [_finished(store, run_id) for run_id in run_ids]
    names = names_of(manifests)
    runs = [
        Run(name, manifest, task_of(manifest), stored_metrics(store, manifest["run_id"]), store)
        for name, manifest in zip(names, manifests, strict=True)
    ]
    for other in runs[1:]:
        tasks = {runs[0].task.name, other.task.name}
        if len(tasks) > 1 and not tasks & set(ELSEWHERE):
            raise InputError(
                f"'{runs[0].id}' is a run of {runs[0].task.title} and '{other.id}' one of {other.task.title}: "
                "their numbers answer different questions. Choose runs of one task."
            )
    return runs


def chosen_metric(runs: Sequence[Run], name: str = "") -> str:
    """A metric that all runs have, by default the first run's headline; PolicyError with the choices."""
    common = metrics_of(runs)
    if name and name not in common:
        raise PolicyError(unknown("metric of all these runs", name, common))
    if not common:
        raise InputError("These runs have no number in common: their rules allow different ones.")
    return name or common[0]


def metrics_of(runs: Sequence[Run]) -> list[str]:
    first, *others = (run.metrics["name"].unique().tolist() for run in runs)
    return [name for name in first if all(name in other for other in others)]


def newest_of_one_task(runs: pd.DataFrame) -> list[str]:
    """The newest run with a number after the newest other of its task, preferably on its data (of `Store.runs`)."""
    measured = runs[(runs["state"] == "done") & runs["value"].notna()]
    for run_id, one in measured.iterrows():
        others = measured[(measured["task"] == one["task"]) & (measured.index != run_id)]
        if len(others):
            same = others[others["data"] == one["data"]]
            return [str((same if len(same) else others).index[0]), str(run_id)]
    return []


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


SAME, SHARED, APART = "same", "shared", "apart"
BY_BOTH, BY_TEXTS, BY_ID = "the same id and the same texts", "the same texts", "the same id"


@dataclass(frozen=True)
class Basis:
    """What two runs can be compared by: `first` and `second` are the candidate tables of the items in both.

    `kind` is `same` (one question), `shared` (`n` items that have `by` in common) or `apart` (none); `others` names
    what differs in the question. `alone`: items of the first and of the second that have no counterpart.
    """

    kind: str
    n: int
    others: tuple[str, ...]
    first: pd.DataFrame
    second: pd.DataFrame
    by: str = BY_BOTH
    alone: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def basis(first: Run, second: Run) -> Basis:
    others = differing(first, second)
    a, b = first.candidates, second.candidates
    if not others:
        return Basis(SAME, a["item"].nunique(), (), a, b)
    if first.task.confidential:  # no texts are stored, and keys differ from model to model
        return Basis(APART, 0, others, a.head(0), b.head(0))
    contents = pd.concat([contents_of(a), contents_of(b)], axis=1, join="inner")
    alike = contents.index[contents.iloc[:, 0] == contents.iloc[:, 1]]
    counterparts, by = pd.Series(alike, alike), BY_BOTH
    if alike.empty and {first.task.name, second.task.name} & set(ELSEWHERE):
        counterparts, by = _by_texts(a, b), BY_TEXTS
        if counterparts.empty:
            both = pd.Index(a["item"].unique()).intersection(pd.Index(b["item"].unique()))
            counterparts, by = pd.Series(both, both), BY_ID
    shared = a[a["item"].isin(counterparts)], b[b["item"].isin(counterparts.index)]
    alone = tuple(
        tuple(table["item"][~table["item"].isin(items)].unique())
        for table, items in ((a, counterparts), (b, counterparts.index))
    )
    renamed = shared[1].assign(item=shared[1]["item"].map(counterparts))
    own, other = (table.reset_index(drop=True) for table in (shared[0], renamed))
    n = len(counterparts)
    return Basis(SHARED if n else APART, n, others, own, other, by, (alone[0], alone[1]))


def _by_texts(first: pd.DataFrame, second: pd.DataFrame) -> pd.Series:
    """By item of the second, that of the first with the same texts, the same one right; others have none of these."""
    own, other = (_wording_of(table).drop_duplicates(keep=False) for table in (first, second))
    items = pd.Series(own.index, own.to_numpy())
    return other.map(items).dropna()


def _wording_of(candidates: pd.DataFrame) -> pd.Series:
    """By item, a number that stands for its texts, in any order and without spaces around them, and the right one."""
    texts = (candidates["context"].fillna("") + candidates["text"].fillna("")).str.strip()
    right = (candidates["label"] == candidates["gold"]).to_numpy(np.uint64)
    numbers = pd.util.hash_pandas_object(texts, index=False).to_numpy() * (np.uint64(3) + right)
    return pd.Series(numbers, candidates["item"]).groupby(level=0).sum()


def differing(first: Run, second: Run) -> tuple[str, ...]:
    """What differs in the question that two runs of one task asked, in words."""
    own, other = ({**run.manifest, "rule": run.rule} for run in (first, second))
    if own["task"] != other["task"]:
        return ("task",)
    return tuple(words for field, words in QUESTION.items() if own.get(field) != other.get(field))


def contents_of(candidates: pd.DataFrame) -> pd.Series:
    """By item, a number that stands for its candidates: their order, labels and texts, and which of them is right."""
    texts = candidates[["label", "gold", "context", "text"]].astype(object).fillna("")
    rows = pd.util.hash_pandas_object(texts, index=False).to_numpy()
    places = candidates["candidate"].to_numpy(np.uint64) * np.uint64(2) + np.uint64(1)
    return pd.Series(rows * places, candidates["item"]).groupby(level=0).sum()


_SAME = ("task", "task_version", "rule", "data_hash", "weights", "scorer")
"""Fields of a manifest that are the same in two runs if only their policies differ."""


def by_policy(own: Mapping[str, Any], store: Store) -> pd.Series:
    """By run id, the presets of finished runs of the same model, task and data as this manifest's, which is first."""
    known = (json.loads(text) for text in store.runs().query("state == 'done'")["manifest"])
    same = [own, *(one for one in known if all(one.get(field) == own[field] for field in _SAME))]
    return pd.Series({one["run_id"]: one["preset"] for one in same})
