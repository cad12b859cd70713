"""Published figures in `data/published`, and whether a run may be compared with them.

A figure is drawn beside a run only if set, items, rule and ties are the same, else it is listed with the difference.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
import pandas as pd

from pairlens.analysis.summary import OVERALL
from pairlens.places import bundled
from pairlens.policies import Policy
from pairlens.rules import RULES

FOLDER = bundled("published")
ALL = "all"
"""The `group` of overall figures."""
SAME, OTHER = "same", "other"
"""Marks: whether the figure is drawn with the run."""
PEOPLE = "people"
"""In place of a rule: people were asked."""

_KEYS = ["task", "metric", "group_by", "group", "n", "rule", "data"]


@dataclass(frozen=True, slots=True)
class Source:
    """The source of figures: `of` which items, how they count `ties`, and over what they are a `mean`.

    Up to `harmless` ties change no printed digit. `always`: name the figures with every run of the task. `address`
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
    entries = tomllib.loads((FOLDER / "sources.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: Source(name, **entry) for name, entry in entries.items()})


@cache
def _figures() -> pd.DataFrame:
    tables = [
        pd.read_csv(FOLDER / f"{name}.csv", dtype={"data": str})
        .fillna({"data": ""})
        .melt(_KEYS, var_name="system")
        .assign(source=name)
        for name in sources()
    ]
    return pd.concat(tables, ignore_index=True).dropna(subset=["value"])


def figures(task: str, metric: str = "") -> pd.DataFrame:
    """Published figures for a task, or for one of its metrics, with the columns of their files and `source`.

    `group_by` is `overall` or a column of groups, `n` the number of items (NaN if unknown), `value` from 0 to 1.
    """
    table = _figures()
    rows = table[table["task"] == task]
    return (rows[rows["metric"] == metric] if metric else rows).reset_index(drop=True)


@dataclass(frozen=True, slots=True)
class Run:
    """What a figure is compared with: a run's policy, its rule, and the hash of its data, where these are known."""

    policy: Policy
    rule: str = ""
    data: str = ""


def difference(figure: pd.Series, n_items: int, n_ties: int, run: Run) -> str:
    """How a published figure (a row of `figures`) differs from a run, as text; empty if it may be drawn beside it.

    The hash of the data decides where both are known; ties matter only if there are more than are harmless.
    """
    source = sources()[figure["source"]]
    parts = []
    if n_items != figure["n"]:
        parts.append(source.of)
    elif figure["data"] and run.data and figure["data"] != run.data:
        parts.append(f"{source.of}; here as many others")
    if figure["rule"] == PEOPLE:
        parts.append("people were asked")
    elif run.rule and figure["rule"] != run.rule:
        parts.append(f"scored as {RULES[figure['rule']].about}")
    if run.policy.ties != source.ties and n_ties > source.harmless:
        parts.append(f"ties count {source.ties}")
    if source.mean == "items":
        parts.append("mean over items, not over groups")
    return ", ".join(parts)


def beside(task: str, metric: str, rows: pd.DataFrame, run: Run) -> pd.DataFrame:
    """The figures to name with a run's numbers: group, system, value, mark (`SAME`: drawn; `OTHER`), note, source.

    `rows` are the metric's rows of the run's summary for one `group_by`. Figures of other items only if `always`
    named.
    """
    group_by = rows["group_by"].iloc[0]
    here = rows[["group", "n", "ties"]] if group_by != OVERALL else rows[["n", "ties"]].head(1).assign(group=ALL)
    published = figures(task, metric)
    published = published[published["group_by"] == group_by].merge(here, on="group", suffixes=("", "_here"))
    named = [sources()[row.source].always or row.n == row.n_here for row in published.itertuples()]
    published = published[np.array(named, bool)].reset_index(drop=True)
    notes = [difference(row, row["n_here"], row["ties"], run) for _, row in published.iterrows()]
    marks = [OTHER if note else SAME for note in notes]
    table: pd.DataFrame = published[["group", "system", "value", "source"]].assign(note=notes, mark=marks)
    return table
