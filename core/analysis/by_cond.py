"""How often and how clearly a model prefers the expected sentence, by condition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from core.analysis._over_items import against_zero
from core.analysis.experiment import Analysis, Columns, refuse_taken
from core.statistics.few import CLUSTERED, CLUSTERED_T, WILSON
from core.statistics.intervals import over_items
from core.statistics.paired import holm

ALL = "all"
TEST = "paired t over items, by condition with Holm's correction"
"""The test of `p_t`, and the correction of `p_holm`."""

_PUBLISHED = ("acc", "diff", "expected", "unexpected", "macrodiff")
_OURS = (
    "overall", "measure", "n", "n_items", "ties", "undecided", "acc_low", "acc_high", "diff_low", "diff_high", "t",
    "df", "p_t", "p_wilcoxon", "dz", "skew", "p_holm",
)  # fmt: skip


def by_cond(pairs: pd.DataFrame, columns: Columns, analysis: Analysis) -> pd.DataFrame:
    """One row per model over all its pairs, then one per condition cell; `pairs` is `by_pair`'s first table.

    model, [conditions]          `all` in the row over all pairs
    acc, diff, expected, unexpected    means over the pairs, in `analysis.measure`
    macrodiff                    mean of expected - mean of unexpected. Only complete pairs enter, so it equals `diff`
                                 up to rounding; NLPScholar's file has it
    overall                      whether the row is the one over all pairs
    measure                      the measure of `diff`, `expected` and `unexpected`
    n, n_items                   numbers of pairs and of independent items
    ties, undecided              numbers of pairs
    acc_low, acc_high            95 % interval of `acc` over items (`core.statistics.intervals.over_items`)
    diff_low, diff_high, t, df, p_t    95 % t interval of `diff` and paired t test over items
    p_wilcoxon, dz, skew         of the items' means: signed-rank test, effect size, skewness
                                 (`core.analysis._over_items`)
    p_holm                       p_t with Holm's (1979) correction over a model's condition rows; the row over all
                                 pairs is a single test

    Without conditions there is only the row over all pairs. Cells come in the order in which they first appear.
    """
    refuse_taken(columns.conditions, ("model", *_PUBLISHED, *_OURS))
    rows = pd.DataFrame(list(_rows(pairs, list(columns.conditions))))
    table = rows.reindex(columns=["model", *columns.conditions, *_PUBLISHED, *_OURS]).astype({"overall": bool})
    table = table.assign(measure=analysis.measure, p_holm=table["p_t"])
    for _, of_model in table[~table["overall"]].groupby("model"):
        table.loc[of_model.index, "p_holm"] = holm(of_model["p_t"].to_numpy(np.float64))
    return table


def intervals(table: pd.DataFrame) -> dict[str, str]:
    """By what it is an interval of in such a table: its method, as in `core.runs.receipts.bibtex.STATISTICS`."""
    several = table["n"] > table["n_items"]
    if not several.any():
        return {"shares": WILSON, "differences": "Student's t"}
    single = {} if several.all() else {"shares with one pair per item": WILSON}
    return {"shares": CLUSTERED, **single, "differences": CLUSTERED_T}


def overall(table: pd.DataFrame) -> pd.DataFrame:
    """The rows over all pairs, one per model."""
    return table[table["overall"]]


def cells(table: pd.DataFrame) -> pd.DataFrame:
    """The rows by condition; without conditions, the rows over all pairs."""
    by_condition = table[~table["overall"]]
    return table if by_condition.empty else by_condition


def _rows(pairs: pd.DataFrame, conditions: list[str]) -> Iterator[dict[str, Any]]:
    for model, of_model in pairs.groupby("model", sort=False):
        yield {"model": model, **dict.fromkeys(conditions, ALL), "overall": True, **_row(of_model)}
        if conditions:
            for values, cell in of_model.groupby(conditions, sort=False, dropna=False):
                yield {"model": model, **dict(zip(conditions, values, strict=True)), "overall": False, **_row(cell)}


def _row(pairs: pd.DataFrame) -> dict[str, Any]:
    means = {name: float(pairs[name].mean(skipna=False)) for name in ("acc", "diff", "expected", "unexpected")}
    items = against_zero(pairs["diff"].to_numpy(np.float64), pairs["item"].to_numpy())
    accuracy = over_items(pairs["acc"], pd.Series(0, pairs.index), pairs["item"])
    return {
        **means,
        "macrodiff": means["expected"] - means["unexpected"],
        "n": len(pairs),
        "n_items": items["n_items"],
        "ties": int(pairs["tie"].sum()),
        "undecided": int(pairs["undecided"].sum()),
        "acc_low": accuracy.low,
        "acc_high": accuracy.high,
        "diff_low": items["low"],
        "diff_high": items["high"],
        "p_t": items["p"],
        **{name: items[name] for name in ("t", "df", "p_wilcoxon", "dz", "skew")},
    }
