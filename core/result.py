"""A finished run, read back from the store: everything that is shown or downloaded of it."""

from __future__ import annotations

import math
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

from core import __version__, measures
from core.analysis import published
from core.analysis.summary import items_by_margin
from core.errors import StoreError
from core.evaluate import Plan, run
from core.metrics import METRICS
from core.policies import Policy
from core.reports import write_babylm
from core.store import Store
from core.tasks import TASKS
from core.types import Task


@dataclass(frozen=True)
class Result:
    """A run's manifest and tables.

    `metrics` is a summary (`core.analysis.summary.summarise`), `paradigms` its rows for the task's main group with
    `section`, the value of the second group. `items` are sorted by margin; `undecided` are those that are ties, too
    close to call or left out, with the reason.
    """

    manifest: Mapping[str, Any]
    task: Task
    policy: Policy
    candidates: pd.DataFrame
    metrics: pd.DataFrame
    paradigms: pd.DataFrame
    items: pd.DataFrame
    undecided: pd.DataFrame

    @property
    def main_group(self) -> str:
        """The column that holds an item's paradigm."""
        return self.task.groups[0]


def read(store: Store, run_id: str) -> Result:
    """The run of that id; StoreError if there is none or it is not finished."""
    manifest = store.manifest(run_id)
    if manifest["state"] != "done":
        raise StoreError(f"Run '{run_id}' is {manifest['state']}. {manifest.get('error', 'It is not finished yet.')}")
    task, policy = TASKS[manifest["task"]], Policy(**manifest["policy"])
    candidates, metrics = store.candidates(run_id), store.metrics(run_id)
    return Result(
        manifest,
        task,
        policy,
        candidates,
        metrics,
        _paradigms(metrics, candidates, task),
        items_by_margin(candidates, policy),
        _undecided(candidates, policy),
    )


def settle(planned: Plan, store: Store, data: str) -> str | None:
    """The finished run of a plan; made now if all its scores are stored (which needs no model), else None."""
    if store.has_finished(planned.run_id):
        return planned.run_id
    if planned.missing(store):
        return None
    for _ in run(planned, store, data=data):
        continue
    return planned.run_id


def methods(result: Result) -> str:
    """Sentences that a paper can print."""
    manifest, policy, first = result.manifest, result.policy, result.metrics.iloc[0]
    model = manifest["model"]
    model += f"@{manifest['revision']}" if manifest["revision"] else f" (weights sha256 {manifest['weights'][:12]})"
    number = "no accuracy" if math.isnan(first["value"]) else f"accuracy {100 * first['value']:.2f} %"
    interval = (
        "" if math.isnan(first["low"]) else f", 95 % interval {100 * first['low']:.2f} to {100 * first['high']:.2f}"
    )
    return (
        f"Items in the format of {result.task.title} (sha256 {manifest['data_hash'][:12]}) were scored with {model} "
        f"({policy.dtype}, scorer {manifest['scorer']}) in Pairlens {__version__}: {policy.phrase()}. "
        f"{int(first['n']):,} items count, {int(first['excluded']):,} could not be scored; exact ties "
        f"({int(first['ties']):,}) count {policy.ties}. The mean over {len(result.paradigms)} paradigms is "
        f"{number}{interval} (percentile bootstrap, paradigms fixed, {int(first['n_clusters']):,} critical contrasts "
        f"drawn anew). {manifest['signature']}"
    )


def babylm_archive(result: Result, revision: str = "") -> bytes:
    """The result folder of the BabyLM pipeline as a zip file."""
    manifest = result.manifest
    packed = BytesIO()
    with tempfile.TemporaryDirectory() as scratch:
        top = Path(scratch)
        write_babylm(
            top, manifest["model"], revision, manifest["scorer"], manifest["task"], Path(manifest["data"]),
            result.candidates, result.metrics, result.policy,
        )  # fmt: skip
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(path for path in top.rglob("*") if path.is_file()):
                archive.write(file, file.relative_to(top))
    return packed.getvalue()


def compared(result: Result) -> pd.DataFrame:
    """The run's accuracy and what was published about the same benchmark: rows for `accuracy_charts.accuracy_beside`.

    Only the run's own row if nothing comparable was published.
    """
    first = result.metrics.iloc[0]
    name = str(result.manifest["model"])
    rows = [{"name": name, "mark": "run", "note": "this run", **first[["value", "low", "high"]].to_dict()}]
    if result.task.name == "blimp":
        table = published.blimp().query("group_by == 'overall'").sort_values("value", ascending=False)
        mark = "other" if published.difference(int(first["n"]), int(first["ties"]), result.policy) else "same"
        note = f"published for BLiMP's {published.N_ITEMS:,} pairs, ties {published.TIES}"
        rows += [
            {"name": system, "mark": mark, "note": note, "value": value}
            for system, value in zip(table["system"], table["value"], strict=True)
        ]
    return pd.DataFrame(rows)


def _paradigms(metrics: pd.DataFrame, candidates: pd.DataFrame, task: Task) -> pd.DataFrame:
    """The rows of the main group, with the section each belongs to (its own name where the task has no sections)."""
    main, *others = task.groups
    rows = metrics[metrics["group_by"] == main].drop(columns="group_by")
    section = candidates.drop_duplicates(main).set_index(main, drop=False)[others[0] if others else main]
    return rows.assign(section=rows["group"].map(section).fillna(rows["group"]))


def _undecided(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """Columns item, why, margin (bits), texts."""
    statistics = METRICS["accuracy"].statistics(candidates, policy)
    why = statistics["excluded"].astype(object).where(statistics["excluded"].notna(), None)
    why = why.mask(statistics["undecided"], "too close to call: within 1e-4 nats").mask(statistics["tie"], "tie")
    found = statistics.assign(why=why, margin=measures.bits(statistics["margin"].to_numpy()))[why.notna()]
    known = candidates[candidates["item"].isin(found["item"]) & candidates["text"].notna()]
    texts = known.groupby("item", sort=False)["text"].agg(" | ".join).rename("texts")
    return found[["item", "why", "margin"]].join(texts, on="item")
