"""The tables that every program of a reproduction reads: a row per item, a row per text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core import measures
from core.analysis.items import deciding_metric
from core.analysis.summary import clusters_of, stratum_weights
from core.runs.result import Result, labels
from core.statistics.candidates import COLUMNS, group_columns

GROUP = "group:"
"""Prefix of the columns of groups, so that none can be mistaken for a column of numbers."""
_COLUMNS = (
    "run", "model", "item", "correct", "tie", "undecided", "excluded", "margin_bits", "cluster", "stratum", "weight",
)  # fmt: skip


def items_table(results: Sequence[Result]) -> pd.DataFrame:
    """One row per run and item: its score and its weight in the mean. Empty if nothing is decided item by item.

    run, model         the run's id; the model, with details where several runs share it
    item
    correct            0 to 1, missing if the item does not count; `excluded` says why
    tie, undecided     an exact tie; decided by less than the precision of the numbers
    margin_bits        the lead of the right text
    cluster            items with the same cluster are not independent
    stratum, weight    the paradigm whose mean is averaged; the item's weight: the products with `correct` add up to
                       the run's headline
    group:NAME         one column per group, the main one first
    """
    parts = [_items(result, name) for result, name in zip(results, labels(results), strict=True)]
    return pd.concat(parts, ignore_index=True)


def _items(result: Result, name: str) -> pd.DataFrame:
    metric = deciding_metric(result.task, result.rule)
    if metric is None:
        return pd.DataFrame({column: [] for column in _COLUMNS})
    decided = metric.statistics(result.candidates, result.policy)
    levels = list(result.task.averaged)
    table = pd.DataFrame(
        {
            "run": result.manifest["run_id"],
            "model": name,
            "item": decided["item"],
            **decided[["correct", "tie", "undecided", "excluded"]],
            "margin_bits": measures.bits(decided["margin"].to_numpy()),
            "cluster": clusters_of(decided, result.task, fixed=levels),
            "stratum": decided[levels].agg(" / ".join, axis=1) if levels else "all",
            "weight": item_weights(decided, levels),
        }
    )
    main = [column for column in result.task.groups if column in decided]
    others = [column for column in group_columns(result.candidates) if column not in (*main, result.task.clusters)]
    return table.join(decided[[*main, *others]].add_prefix(GROUP))


def item_weights(decided: pd.DataFrame, levels: Sequence[str]) -> pd.Series:
    """By row, an item's weight in the mean of means over these columns; NaN for excluded items."""
    counted = decided[decided["excluded"].isna()]
    stratum = counted.groupby([*levels], sort=False).ngroup() if levels else pd.Series(0, counted.index)
    shares = stratum.map(stratum_weights(counted, stratum, levels)) / stratum.map(stratum.value_counts())
    return shares.reindex(decided.index).astype(np.float64)


def candidates_table(results: Sequence[Result]) -> pd.DataFrame:
    """One row per run, item and text: its label, the right one, its log-probability (nats), its numbers of tokens.

    Confidential texts are left out.
    """
    parts = []
    for result, name in zip(results, labels(results), strict=True):
        table = result.candidates[list(COLUMNS)]
        if result.task.confidential:
            table = table.drop(columns=["context", "text"])
        parts.append(table.assign(run=result.manifest["run_id"], model=name))
    table = pd.concat(parts, ignore_index=True)
    return table[["run", "model", *table.columns.drop(["run", "model"])]]
