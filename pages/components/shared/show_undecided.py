"""Items without a clear decision: ties, differences too small to trust, and what is left out, each with why."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.summary import headlines
from core.metrics import METRICS
from core.runs.result import Result
from core.types import Metric
from pages.components.shared import notices
from pages.components.shared.show_table import show_table


def show_undecided(result: Result) -> None:
    """The counts of each number in words, then one row per item and number."""
    for _, counts in headlines(result.metrics).iterrows():
        _show_counts(counts, METRICS[counts["name"]], result.policy.ties)
    if result.undecided.empty:
        return
    titles = {name: METRICS[name].title for name in METRICS}
    show_table(
        result.undecided.assign(metric=result.undecided["metric"].map(titles)),
        column_config={
            "item": "Item", "metric": "Number", "why": "Why", "texts": "Texts",
            "margin": st.column_config.NumberColumn("Margin (bits)", format="%.3g"),
        },
    )  # fmt: skip


def _show_counts(counts: pd.Series, metric: Metric, rule: str) -> None:
    left_out = f"{int(counts['excluded']):,}"
    if not metric.averages:
        notices.write("$title: $excluded left out.", title=metric.title, excluded=left_out)
        return
    notices.write(
        "$title: $ties, each counted as $rule; $undecided decided by less than 1e-4 nats, which another device could "
        "turn; $excluded left out.",
        title=metric.title, ties=notices.counted(int(counts["ties"]), "tie"), rule=rule,
        undecided=f"{int(counts['undecided']):,}", excluded=left_out,
    )  # fmt: skip
