"""All runs as one table: numbers, annotations, disk space."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pairlens.analysis.summary import metrics_under, written
from pairlens.evaluation.receipts.scored_by import HUMAN
from pairlens.evaluation.samples import is_sample
from pairlens.files.datasets import catalogue
from pairlens.metrics import METRICS
from pairlens.store import Store, visitors
from pairlens.store.files import bytes_in
from pairlens.store.parts import TABLES
from pairlens.store.run_annotations import annotations_of
from pairlens.tasks import TASKS
from pairlens.types import Metric

COLUMNS = (
    "run_id", "title", "task", "task_title", "model", "headline", "metric", "value", "low", "high", "n", "preset",
    "state", "origin", "tags", "note", "size", "created", "finished", "signature", "data", "error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter of runs: all `words` and `tags`, and one of the tasks, models and states, where any are given."""

    words: str = ""
    tasks: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def run_list(store: Store, bytes_per_request: pd.Series | None = None) -> pd.DataFrame:
    """One row per run, newest first. Columns: COLUMNS.

    `headline` is the first number with its 95 % interval, as text, or empty; `metric` says of what; `tags` are
    tuples; `size` is in bytes: the run's own folder and its share of the scores it names (`bytes_per_request`, read
    now if not given).
    """
    rows = store.runs()
    per_request = sizes_of_scores(store) if bytes_per_request is None else bytes_per_request
    more = []
    for manifest in map(json.loads, rows["manifest"]):
        notes = annotations_of(store, manifest["run_id"])
        stated = "as stated by a file" if "stated" in manifest else "imported" if "arrived" in manifest else ""
        origin = "human choices" if manifest.get("scorer") == HUMAN else stated  # where it was not made here
        own = bytes_in(file for file in (store.folder / "runs" / manifest["run_id"]).glob("*") if file.is_file())
        share = float(per_request.get(manifest.get("fingerprint"), 0.0))
        size = int(own + round(share * int(manifest.get("n_requests", 0))))
        more.append(
            (_task_title(manifest), headline_of(manifest), metric_of(manifest), origin, notes.tags, notes.note, size)
        )
    described = pd.DataFrame(more, rows.index, ["task_title", "headline", "metric", "origin", "tags", "note", "size"])
    return rows.join(described)[[*COLUMNS]]


def headline_of(manifest: Mapping[str, Any]) -> str:
    """`63.0 % (52.9 to 72.3)`: a run's first number with its 95 % interval; without a number, its finding, if any."""
    value, low, high = (manifest.get(name) for name in ("value", "low", "high"))
    if value is None:
        return str(manifest.get("finding", ""))
    metric = _headline_metric(manifest)
    scale = metric.scale if metric else "correlation"  # a plain number for an unknown task
    if low is None or high is None:
        return written(value, scale, 1)
    bounds = (written(bound, scale, 1).partition(" ")[0] for bound in (low, high))  # their unit is the number's
    return f"{written(value, scale, 1)} ({' to '.join(bounds)})"


def metric_of(manifest: Mapping[str, Any]) -> str:
    """The title of the metric of a run's first number; empty where it has none."""
    metric = _headline_metric(manifest) if manifest.get("value") is not None else None
    return str(metric.title) if metric else ""


def _headline_metric(manifest: Mapping[str, Any]) -> Metric | None:
    if task := TASKS.get(manifest["task"]):
        return METRICS[(metrics_under(task, manifest.get("rule", "")) or [*task.metrics])[0]]
    return None


def chosen(runs: pd.DataFrame, wanted: Wanted) -> pd.DataFrame:
    """The runs of such a list that pass a filter; case is ignored."""
    searched = ["run_id", "title", "task_title", "model", "data", "note", "signature"]
    texts_of_runs = [
        " ".join([*map(str, texts), *tags]).casefold()
        for *texts, tags in zip(*(runs[name] for name in searched), runs["tags"], strict=True)
    ]
    words = wanted.words.casefold().split()
    passing = pd.Series([all(word in text for word in words) for text in texts_of_runs], runs.index, dtype=bool)
    for column, values in (("task", wanted.tasks), ("model", wanted.models), ("state", wanted.states)):
        if values:
            passing &= runs[column].isin(values)
    passing &= runs["tags"].map({*wanted.tags}.issubset).astype(bool)
    return runs[passing]


def all_tags(runs: pd.DataFrame) -> list[str]:
    """The tags in such a list, in alphabetical order."""
    return sorted({tag for tags in runs["tags"] for tag in tags})


def sizes_of_scores(store: Store) -> pd.Series:
    """By fingerprint, the store's bytes per request (parts hold requests of many runs)."""
    sizes: dict[str, float] = {}
    for fingerprint in store.fingerprints():
        parts = store.parts(fingerprint)
        size = bytes_in(part.file(table) for part in parts for table in TABLES)
        sizes[fingerprint] = size / max(1, sum(part.about["requests"] for part in parts))
    return pd.Series(sizes, dtype="float64")


def title_of(manifest: Mapping[str, Any]) -> str:
    """The user's name for a run; its task's and what is public of its data if it is somebody else's."""
    if visitors.may_change("runs", manifest["run_id"]):
        return str(manifest["title"])
    public = is_sample(manifest["data"]) or manifest["data"] in catalogue()
    return f"{_task_title(manifest)}: {manifest['data'] if public else manifest['model']}"


def _task_title(manifest: Mapping[str, Any]) -> str:
    return TASKS[manifest["task"]].title if manifest["task"] in TASKS else str(manifest["task"])


def in_words(headline: str, metric: str) -> str:
    """A run's number with its metric's name: `94.0 % accuracy (88.0 to 97.0)`, `stereotype rate 1.05`."""
    value, interval = headline.partition(" (")[::2]
    named = metric if metric[1:2].isupper() else metric[:1].lower() + metric[1:]
    words = f"{value} {named}" if value.endswith("%") else f"{named} {value}"
    return words.strip() + (f" ({interval}" if interval else "")
