"""Two stored runs on the same items: their differences, and the items that only one of them has right."""

from __future__ import annotations

import json

import pandas as pd

from core.analysis import paired
from core.analysis.summary import headlines
from core.errors import PolicyError, unknown
from core.runs.result import Result, read
from core.store import Store


def paired_runs(store: Store, first: str, second: str, metric: str = "") -> pd.DataFrame:
    """Two stored runs compared by a metric, by default the headline's (`core.analysis.paired.paired`).

    StoreError for a run that is not there or not finished and for runs of other items, PolicyError for a metric that
    they do not have.
    """
    one, other = read(store, first), read(store, second)
    paired.refuse_unlike(one.manifest, other.manifest)
    names = one.metrics["name"].unique().tolist()
    name = metric or names[0]
    if name not in names:
        raise PolicyError(unknown("metric of these runs", name, names))
    return _table(one, other, name)


def against(first: Result, second: Result, metric: str) -> pd.DataFrame:
    """Two runs compared item by item (`core.analysis.paired.paired`), with the section of each paradigm.

    StoreError, in one sentence, if they are not of the same task and data.
    """
    paired.refuse_unlike(first.manifest, second.manifest)
    rows = _table(first, second, metric)
    sections = first.paradigms.set_index("group")["section"]
    return rows.assign(section=rows["group"].map(sections).fillna(rows["group"]))


def flips(first: Result, second: Result) -> pd.DataFrame:
    """The items that only one of two runs has right (`core.analysis.paired.flipped`)."""
    policies = first.policy, second.policy
    return paired.flipped(first.candidates, second.candidates, first.task, policies, first.rule)


def _table(first: Result, second: Result, metric: str) -> pd.DataFrame:
    policies = first.policy, second.policy
    return paired.paired(first.candidates, second.candidates, first.task, policies, metric)


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
