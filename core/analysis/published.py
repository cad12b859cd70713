"""Published figures, and whether a run may be compared with them.

The figures are in `data/published`; `sources.toml` there gives the source, items and tie rule of each. A run is
compared with a figure only if both are about the same items and count ties in the same way.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
import pandas as pd

from core.analysis.summary import OVERALL
from core.policies import Policy
from core.settings import ROOT

FOLDER = ROOT / "data" / "published"
ALL = "all"
"""The `group` of overall figures."""
SAME, OTHER = "same", "other"
"""Marks: whether the figure may share a reference line with the run."""

_KEYS = ["task", "metric", "group_by", "group", "n"]


@dataclass(frozen=True, slots=True)
class Source:
    """The source of figures: `of` which items, how they count `ties`, and over what they are a `mean`.

    Up to `harmless` ties change no printed digit. `always`: draw the figures with every run of the task. `address`
    and `about` cite the source.
    """

    name: str
    title: str
    of: str
    ties: str
    harmless: int
    mean: str
    always: bool
    address: str
    about: str


@cache
def sources() -> Mapping[str, Source]:
    """All sources by name."""
    entries = tomllib.loads((FOLDER / "sources.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: Source(name, **entry) for name, entry in entries.items()})


@cache
def _figures() -> pd.DataFrame:
    tables = [
        pd.read_csv(FOLDER / f"{name}.csv").melt(_KEYS, var_name="system").assign(source=name) for name in sources()
    ]
    return pd.concat(tables, ignore_index=True).dropna(subset=["value"])


def figures(task: str, metric: str = "") -> pd.DataFrame:
    """Published figures for a task, or for one of its metrics.

    Columns: task, metric, group_by, group, n, system, value, source. `group_by` is `overall` or a column of groups,
    `n` the number of items (NaN if not reported), `value` a share from 0 to 1.
    """
    table = _figures()
    rows = table[table["task"] == task]
    return (rows[rows["metric"] == metric] if metric else rows).reset_index(drop=True)


def difference(source: Source, n_published: float, n_items: int, n_ties: int, policy: Policy) -> str:
    """How a published figure differs from a run, as text; empty if they may share a reference line.

    The tie rule matters only if the run has more ties than are harmless.
    """
    parts = [] if n_items == n_published else [source.of]
    if policy.ties != source.ties and n_ties > source.harmless:
        parts.append(f"ties count {source.ties}")
    if source.mean == "items":
        parts.append("mean over items, not over groups")
    return ", ".join(parts)


def beside(task: str, metric: str, rows: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """The figures to draw with a run's numbers: group, system, value, mark (`same` or `other`), note, source.

    `rows` are the metric's rows of the run's summary for one `group_by`; for `overall`, the first of them counts.
    Figures about other items are included only if their source is `always` drawn.
    """
    group_by = rows["group_by"].iloc[0]
    run = rows[["group", "n", "ties"]] if group_by != OVERALL else rows[["n", "ties"]].head(1).assign(group=ALL)
    found = figures(task, metric)
    found = found[found["group_by"] == group_by].merge(run, on="group", suffixes=("", "_here"))
    drawn = [sources()[row.source].always or row.n == row.n_here for row in found.itertuples()]
    found = found[np.array(drawn, bool)].reset_index(drop=True)
    notes = [difference(sources()[row.source], row.n, row.n_here, row.ties, policy) for row in found.itertuples()]
    marks = [OTHER if note else SAME for note in notes]
    table: pd.DataFrame = found[["group", "system", "value", "source"]].assign(note=notes, mark=marks)
    return table
