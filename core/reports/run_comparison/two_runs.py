"""Two stored runs on the same items: their differences, and the items that only one of them has right."""

from __future__ import annotations

import pandas as pd

from core.analysis import paired
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
