"""Items that changed sides between two runs, and every item's margin in one against that in the other."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.paired import margins
from core.metrics import METRICS
from core.reports.run_comparison.basis import Basis
from core.reports.run_comparison.chosen import Run

CHANGED = ("run", "reference")
"""Values of `right_in` of items that flipped: only this run has them right, or only the reference."""


def item_margins(run: Run, reference: Run, shared: Basis, metric: str) -> pd.DataFrame:
    """The items that count in both runs, the largest change of margin first; none if they share none.

    item, the groups
    context, right, rival  as in `core.analysis.paired.margins`
    texts                  instead of these three, for items of which no candidate is right: all, with their labels;
                           missing for confidential tasks, which have no texts
    margin, margin_reference, change    bits (per token if the policies compare means); the run minus the reference
    right_in               `run` or `reference` where one of them alone is right, else `both`, `neither` or `part`
    """
    if not METRICS[metric].averages or shared.first.empty:
        return pd.DataFrame(columns=["item", "margin", "margin_reference", "change", "right_in"])
    policies = run.policy, reference.policy
    table = margins(shared.first, shared.second, run.task, policies, run.rule, metric)
    table = table.rename(columns={"margin_a": "margin", "margin_b": "margin_reference"})
    table["right_in"] = table["right_in"].replace({"a": CHANGED[0], "b": CHANGED[1]})
    if table["right"].isna().all():
        return table.drop(columns=["context", "right", "rival"]).join(_texts(shared.first), on="item")
    return table


def flipped(items: pd.DataFrame) -> pd.DataFrame:
    """Of such items those that only one of the two runs has right."""
    return items[items["right_in"].isin(CHANGED)].reset_index(drop=True)


def thinned(items: pd.DataFrame, most: int = 1_000) -> pd.DataFrame:
    """So many of those that flipped and as many of the others, taken evenly over all changes of margin."""
    sides = items["right_in"].isin(CHANGED)
    return pd.concat([_evenly(part, most) for part in (items[~sides], items[sides])], ignore_index=True)


def _evenly(items: pd.DataFrame, most: int) -> pd.DataFrame:
    if len(items) <= most:
        return items
    return items.iloc[np.linspace(0, len(items) - 1, most).round().astype(int)]


def _texts(candidates: pd.DataFrame) -> pd.Series:
    """By item, its candidates with their labels; missing for confidential tasks."""
    known = candidates[candidates["text"].notna()].sort_values("candidate", kind="stable")
    words = known["label"].astype("str") + ": " + known["text"].astype("str").str.strip()
    return words.groupby(known["item"], sort=False).agg(" · ".join).rename("texts")
