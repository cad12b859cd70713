"""Two runs compared item by item (`core.reports.run_comparison.two_runs`), in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis.summary import CLUSTER, generalises_over, independent_units, written
from core.messages import Message, joined
from core.metrics import METRICS
from core.reports.run_comparison.numbers import ALPHA


def verdict(rows: pd.DataFrame, names: tuple[str, str], metric: str, clusters: str = CLUSTER) -> str:
    """What was found: who is ahead, by how much, and in how many paradigms beyond chance.

    `clusters` are those of the task.
    """
    overall, groups = rows.iloc[0], rows.iloc[1:]
    size, low, high = (_size(overall[column], metric) for column in ("difference", "low", "high"))
    between = Message("between {first} and {second}: {size}", first=names[0], second=names[1], size=size)
    if pd.isna(overall["low"]):
        return Message(
            "No interval for the difference {between}. {why}", between=between, why=no_interval(overall, clusters)
        )
    tested = "" if pd.isna(overall["p"]) else Message("; p = {p:.2g}", p=overall["p"])
    if not overall["low"] * overall["high"] > 0 or overall["p"] >= ALPHA:
        return Message(
            "No clear difference {between} ({low} to {high}{tested}).",
            between=between, low=low, high=high, tested=tested,
        )  # fmt: skip
    ahead, behind = names if overall["difference"] > 0 else names[::-1]
    least, size, most = (_size(value, metric) for value in sorted(abs(overall[["low", "difference", "high"]])))
    order = Message("{ahead} is ahead of {behind}", ahead=ahead, behind=behind)
    if METRICS[metric].higher_is_better is None:
        title = METRICS[metric].title
        order = Message("{metric} is higher for {ahead} than for {behind}", metric=title, ahead=ahead, behind=behind)
    said = Message("{order} by {size} ({least} to {most}).", order=order, size=size, least=least, most=most)
    if groups["p_holm"].isna().all():
        return said
    beyond = int((groups["p_holm"] < ALPHA).sum())
    return joined(
        (said, Message("The difference is beyond chance in {n} of {all} paradigms.", n=beyond, all=len(groups)))
    )


def grounds(rows: pd.DataFrame, metric: str, clusters: str = CLUSTER) -> str:
    """What stands behind a verdict: how many items, which test, which correction."""
    overall, n_groups = rows.iloc[0], len(rows) - 1
    said: str = Message("{n:,} items that both could score", n=int(overall["n"]))
    if unscored := int(overall["unscored_a"] + overall["unscored_b"]):
        said = joined((said, Message("({n:,} that only one of them could are left out)", n=unscored)))
    said = joined((said, Message("; 95 % interval over {drawn}.", drawn=generalises_over(overall, clusters))), "")
    if pd.isna(overall["p"]):
        return said
    counted = Message("Counted") if METRICS[metric].higher_is_better is None else Message("Right")
    tested = Message(
        "{counted} in the first only: {first:,}, in the second only: {second:,}; {test}: p = {p:.2g}.",
        counted=counted, first=int(overall["only_a"]), second=int(overall["only_b"]), test=exact_test(overall),
        p=overall["p"],
    )  # fmt: skip
    if n_groups < 2:
        return joined((said, tested))
    corrected = Message("By paradigm, p-values are corrected for {n} tests (Holm).", n=n_groups)
    return joined((said, tested, corrected))


def no_interval(row: pd.Series, clusters: str = CLUSTER) -> str:
    """Why a difference has none, as a sentence; `n_clusters` is missing for runs that share no item."""
    if pd.isna(row["n_clusters"]):
        return Message("There is none, because one of the numbers has none.")
    if row["n_clusters"] > 1:
        return Message("There is none: too many paradigms have a single independent contrast.")
    return Message(
        "There is none: too few items are independent of each other ({drawn}).",
        drawn=independent_units(row, clusters),
    )


def exact_test(row: pd.Series) -> str:
    """What the p-value of such a row is called."""
    if row["n_clusters"] == row["n"] and np.isclose(row["p"], row["p_mcnemar"]):
        return Message("McNemar's exact test")
    if row["n_clusters"] == row["n"]:
        return Message("test of exchanging answers, weighted as in the mean")
    return Message("test of exchanging answers, those to dependent items together")


def _size(difference: float, metric: str) -> Message:
    scale = METRICS[metric].scale
    if scale == "share":
        return Message("{n:.1f}\u00a0points", n=100 * difference)
    return written(difference, scale, 1)
