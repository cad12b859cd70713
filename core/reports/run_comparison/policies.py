"""A run beside the same question under other policies."""

from __future__ import annotations

import json

import pandas as pd

from core.analysis.summary import headlines
from core.runs.result import Result
from core.store import Store

_SAME = ("task", "task_version", "rule", "data_hash", "weights", "scorer")
"""Fields of a manifest that are the same in two runs if only their policies differ."""


def by_policy(result: Result, store: Store) -> pd.DataFrame:
    """The finished runs of the same model, task and data, whatever their policy; this one first.

    A summary's headline rows (`core.analysis.summary`), and run_id, preset, signature.
    """
    own = result.manifest  # listed or, where somebody's link led to it, not
    known = (json.loads(text) for text in store.runs().query("state == 'done'")["manifest"])
    others = (one for one in known if one["run_id"] != own["run_id"])
    same = [own, *(one for one in others if all(one.get(field) == own[field] for field in _SAME))]
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
