"""Two runs compared item by item (`core.reports.run_comparison.two_runs`), in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.summary import written
from core.metrics import METRICS
from core.reports.run_comparison.numbers import ALPHA


def verdict(rows: pd.DataFrame, names: tuple[str, str], metric: str) -> str:
    """What was found: who is ahead, by how much, and in how many paradigms beyond chance."""
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
    return f"{said} The difference is beyond chance in {(groups['p_holm'] < ALPHA).sum()} of {len(groups)} paradigms."


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
    return written(difference, METRICS[metric].scale, 1).replace(" %", "\u00a0points")
