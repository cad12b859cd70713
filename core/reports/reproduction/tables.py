"""The tables that every program of a reproduction reads: a row per item, a row per text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core import measures
from core.analysis.items import deciding_metric
from core.analysis.summary import CLUSTER, stratum_weights
from core.runs.result import Result, labels
from core.statistics.candidates import COLUMNS, group_columns

GROUP = "group:"
"""Begins the name of a column that says where an item belongs, so that none can be mistaken for a number's."""
_COLUMNS = (
    "run", "model", "item", "correct", "tie", "undecided", "excluded", "margin_bits", "cluster", "stratum", "weight",
)  # fmt: skip


def items_table(results: Sequence[Result]) -> pd.DataFrame:
    """One row per run and item: what it counts, and what it is averaged with. Empty if nothing is decided by item.

    run, model         the run's id; the model, with what tells runs apart that share it
    item
    correct            0 to 1, missing if the item does not count; `excluded` says why
    tie, undecided     an exact tie; decided by less than the precision of the numbers
    margin_bits        how far the right text is ahead
    cluster            items that share it are not independent
    stratum, weight    the paradigm whose mean is averaged; how much the item counts: their product with `correct`
                       adds up to the run's headline
    group:NAME         one column per group, the main one first
    """
    parts = [_items(result, name) for result, name in zip(results, labels(results), strict=True)]
    return pd.concat(parts, ignore_index=True)


def _items(result: Result, name: str) -> pd.DataFrame:
    metric = deciding_metric(result.task, result.rule)
    if metric is None:
        return pd.DataFrame({column: [] for column in _COLUMNS})
    judged = metric.statistics(result.candidates, result.policy)
    levels = list(result.task.averaged)
    table = pd.DataFrame(
        {
            "run": result.manifest["run_id"],
            "model": name,
            "item": judged["item"],
            **judged[["correct", "tie", "undecided", "excluded"]],
            "margin_bits": measures.bits(judged["margin"].to_numpy()),
            "cluster": judged[CLUSTER] if CLUSTER in judged else judged["item"],
            "stratum": judged[levels].agg(" / ".join, axis=1) if levels else "all",
            "weight": item_weights(judged, levels),
        }
    )
    main = [column for column in result.task.groups if column in judged]
    others = [column for column in group_columns(result.candidates) if column not in (*main, CLUSTER)]
    return table.join(judged[[*main, *others]].add_prefix(GROUP))


def item_weights(judged: pd.DataFrame, levels: Sequence[str]) -> pd.Series:
    """By row, how much an item counts in the mean of means over these columns; NaN for those that do not count."""
    counted = judged[judged["excluded"].isna()]
    stratum = counted.groupby([*levels], sort=False).ngroup() if levels else pd.Series(0, counted.index)
    shares = stratum.map(stratum_weights(counted, stratum, levels)) / stratum.map(stratum.value_counts())
    return shares.reindex(judged.index).astype(np.float64)


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
    whole = pd.concat(parts, ignore_index=True)
    return whole[["run", "model", *whole.columns.drop(["run", "model"])]]
