"""The same question under other policies: what is stored, what other tie rules give, published rules beside ours."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.alongside import side_by_side
from core.result import Result
from pages.components import notices, resources
from pages.components.asked import Asked
from pages.components.number_columns import number_columns
from pages.components.show_downloads import show_downloads

PUBLISHED = "babylm-2025"
_NUMBERS = {
    "value": "Value", "low": "95 % from", "high": "95 % to", "first": "Published rules", "second": "Ours",
    "difference": "Ours minus published",
}  # fmt: skip
_COLUMNS = {
    "preset": "Preset", "n": "Items", "ties": "Ties", "excluded": "Left out", "run_id": "Run",
    "ties_count": "A tie counts", "group": "Group", "group_by": "By",
}  # fmt: skip


def show_policies(result: Result, metric: str, asked: Asked | None) -> None:
    """Stored runs by preset, tie rules as a query, and both columns where the published rules are stored too."""
    runs = resources.by_policy(result)
    runs = runs[runs["name"] == metric]
    notices.write("Stored runs of this model on these data, by preset:")
    columns = ["preset", "value", "low", "high", "n", "ties", "excluded", "run_id"]
    st.dataframe(runs[columns], hide_index=True, column_config=_COLUMNS | number_columns(_NUMBERS, metric))
    if (runs["ties"] > 0).any():
        ties = resources.by_tie_rule(result)
        notices.write("The same scores with ties counted otherwise:")
        table = ties[ties["name"] == metric][["ties_count", "value", "low", "high", "ties"]]
        st.dataframe(table, hide_index=True, column_config=_COLUMNS | number_columns(_NUMBERS, metric))
    _show_both(result, runs, metric, asked)


def _show_both(result: Result, runs: pd.DataFrame, metric: str, asked: Asked | None) -> None:
    """The published rules beside ours, number by number."""
    others = runs[runs["preset"] == PUBLISHED]
    ours = runs[runs["preset"] != PUBLISHED]
    if len(others) and len(ours):
        published, chosen = others["run_id"].iloc[0], ours["run_id"].iloc[0]
        table = side_by_side(resources.store(), published, chosen, metric)
        notices.write("Published rules ($published) beside $ours:", published=PUBLISHED, ours=ours["preset"].iloc[0])
        st.dataframe(table, hide_index=True, column_config=_COLUMNS | number_columns(_NUMBERS, metric))
        show_downloads(f"{result.manifest['run_id']}-both-{metric}", table)
    elif asked is not None:
        _offer(asked)


def _offer(asked: Asked) -> None:
    notices.write(
        "The rules of the BabyLM pipeline (no start symbol, ties correct, each piece masked alone) beside these:",
        "pl-quiet",
    )
    if st.button("Score by both rules", icon=":material/play_arrow:"):
        asked.start(asked.arguments(both=True))
        st.rerun()
