"""What stands beside a finished run: the same question under other policies, another run, and how far a job is."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from core.analysis.paired import flipped, paired, refuse_unlike
from core.analysis.summary import headlines, written
from core.metrics import METRICS
from core.runs.requests import Plan
from core.runs.result import Result
from core.store import Store

_SAME = ("task", "task_version", "rule", "data_hash", "weights", "scorer")
"""What two runs of a manifest have in common if only their policies differ."""
_ALPHA = 0.05


def by_policy(result: Result, store: Store) -> pd.DataFrame:
    """The finished runs of the same model, task and data, whatever their policy; this one first.

    A summary's headline rows (`core.analysis.summary`), and run_id, preset, signature.
    """
    manifests = [json.loads(text) for text in store.runs().query("state == 'done'")["manifest"]]
    same = [one for one in manifests if all(one.get(field) == result.manifest[field] for field in _SAME)]
    same.sort(key=lambda one: one["run_id"] != result.manifest["run_id"])
    tables = [
        headlines(store.metrics(one["run_id"])).assign(
            run_id=one["run_id"], preset=one["preset"], signature=one["signature"]
        )
        for one in same
    ]
    return pd.concat(tables, ignore_index=True)


def side_by_side(store: Store, first: str, second: str, metric: str) -> pd.DataFrame:
    """A metric of two runs, number by number: group_by, group, first, second, difference (second minus first)."""
    keys = ["group_by", "group"]
    tables = (store.metrics(run_id) for run_id in (first, second))
    a, b = (
        table[(table["name"] == metric) & (table["over"] == "items")].drop_duplicates(keys).set_index(keys)["value"]
        for table in tables
    )
    return pd.DataFrame({"first": a, "second": b, "difference": b - a}).loc[a.index].reset_index()


def against(first: Result, second: Result, metric: str) -> pd.DataFrame:
    """Two runs compared item by item (`core.analysis.paired.paired`), with the section of each paradigm.

    StoreError, in one sentence, if they are not of the same task and data.
    """
    refuse_unlike(first.manifest, second.manifest)
    rows = paired(first.candidates, second.candidates, first.task, (first.policy, second.policy), metric)
    sections = first.paradigms.set_index("group")["section"]
    return rows.assign(section=rows["group"].map(sections).fillna(rows["group"]))


def verdict(rows: pd.DataFrame, names: tuple[str, str], metric: str) -> str:
    """What `against` found, in words: who is ahead, by how much, and in how many paradigms beyond chance."""
    overall, groups = rows.iloc[0], rows.iloc[1:]
    size, low, high = (_size(overall[column], metric) for column in ("difference", "low", "high"))
    if not overall["low"] * overall["high"] > 0:
        return f"No clear difference between {names[0]} and {names[1]}: {size} ({low} to {high})."
    ahead, behind = names if overall["difference"] > 0 else names[::-1]
    least, size, most = (_size(value, metric) for value in sorted(abs(overall[["low", "difference", "high"]])))
    order = f"{ahead} is ahead of {behind}"
    if METRICS[metric].higher_is_better is None:
        order = f"{METRICS[metric].title} is higher for {ahead} than for {behind}"
    said = f"{order} by {size} ({least} to {most})."
    if groups["p_holm"].isna().all():
        return said
    return (
        f"{said} The difference is beyond chance in {(groups['p_holm'] < _ALPHA).sum()} of {len(groups)} paradigms."
    )


def grounds(rows: pd.DataFrame, metric: str) -> str:
    """What stands behind a verdict: how many items, which test, which correction."""
    overall, n_groups = rows.iloc[0], len(rows) - 1
    said = f"{int(overall['n']):,} items that both could score"
    if unscored := int(overall["unscored_a"] + overall["unscored_b"]):
        said += f" ({unscored:,} that only one of them could are left out)"
    said += "; 95 % interval over items, dependent ones drawn together."
    if pd.isna(overall["p"]):
        return said
    counted = "Counted" if METRICS[metric].higher_is_better is None else "Right"
    said += (
        f" {counted} in the first only: {int(overall['only_a']):,}, in the second only: {int(overall['only_b']):,}; "
        f"{exact_test(overall)}: p = {overall['p']:.2g}."
    )
    return f"{said} By paradigm, p-values are corrected for {n_groups} tests (Holm)." if n_groups > 1 else said


def exact_test(row: pd.Series) -> str:
    """What the p-value of such a row is called."""
    alone = row["n_clusters"] == row["n"] and np.isclose(row["p"], row["p_mcnemar"])
    return "McNemar's exact test" if alone else "exact test of exchanging answers, those to dependent items together"


def _size(difference: float, metric: str) -> str:
    scale = METRICS[metric].scale
    return written(difference, scale, 1).replace(" %", "\u00a0points")


def flips(first: Result, second: Result) -> pd.DataFrame:
    """The items that only one of two runs has right (`core.analysis.paired.flipped`)."""
    return flipped(first.candidates, second.candidates, first.task, (first.policy, second.policy), first.rule)


def scored_by_group(planned: Plan, store: Store) -> pd.DataFrame:
    """How much of a plan is scored, by the task's main group: group, done (0 to 1), texts."""
    known = store.known(planned.recipe.fingerprint, keys=planned.requests)
    main = planned.task.groups[0]
    rows = pd.DataFrame(
        {"group": [row.groups[main] for row in planned.rows], "key": [row.request_key for row in planned.rows]}
    )
    return (
        rows.assign(done=rows["key"].isin(known))
        .groupby("group", sort=False)
        .agg(done=("done", "mean"), texts=("key", "nunique"))
        .reset_index()
    )
