"""Items without a clear decision: ties, differences too small to trust, and what is left out, each with why."""

from __future__ import annotations

import streamlit as st

from core.metrics import METRICS
from core.result import Result
from pages.components import notices


def show_undecided(result: Result) -> None:
    """Counts of the headline in words, then one row per item and number."""
    counts = result.metrics.iloc[0]
    notices.write(
        "$ties, each counted as $rule; $undecided decided by less than 1e-4 nats, which another device could turn; "
        "$excluded left out.",
        ties=notices.counted(int(counts["ties"]), "tie"), rule=result.policy.ties,
        undecided=f"{int(counts['undecided']):,}", excluded=f"{int(counts['excluded']):,}",
    )  # fmt: skip
    if result.undecided.empty:
        return
    titles = {name: METRICS[name].title for name in METRICS}
    st.dataframe(
        result.undecided.assign(metric=result.undecided["metric"].map(titles)), hide_index=True,
        column_config={
            "item": "Item", "metric": "Number", "why": "Why", "texts": "Texts",
            "margin": st.column_config.NumberColumn("Margin (bits)", format="%.3g"),
        },
    )  # fmt: skip
