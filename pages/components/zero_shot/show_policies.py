"""The same question under every policy, and the published rules beside ours where both are stored."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.reports.run_comparison.two_runs import by_policy, side_by_side
from core.runs.result import Result
from pages.components.shared import notices, resources
from pages.components.shared.number_columns import number_columns
from pages.components.shared.run_request import RunRequest
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_run_policies import show_run_policies
from pages.components.shared.show_table import show_table

PUBLISHED = "babylm-2025"
_NUMBERS = {"first": "Published rules", "second": "Ours", "difference": "Ours minus published"}
_COLUMNS = {"group": "Group", "group_by": "By"}


def show_policies(result: Result, metric: str, asked: RunRequest | None) -> None:
    """The run under every policy, then both columns, or the button that scores by both rules."""
    show_run_policies(result.manifest["run_id"], metric)
    runs = by_policy(result, resources.store())
    _show_both(result, runs[runs["name"] == metric], metric, asked)


def _show_both(result: Result, runs: pd.DataFrame, metric: str, asked: RunRequest | None) -> None:
    """The published rules beside ours, number by number."""
    others = runs[runs["preset"] == PUBLISHED]
    ours = runs[runs["preset"] != PUBLISHED]
    if len(others) and len(ours):
        published, chosen = others["run_id"].iloc[0], ours["run_id"].iloc[0]
        table = side_by_side(resources.store(), published, chosen, metric)
        notices.write("Published rules ($published) beside $ours:", published=PUBLISHED, ours=ours["preset"].iloc[0])
        show_table(table, column_config=_COLUMNS | number_columns(_NUMBERS, metric))
        show_downloads(f"{result.manifest['run_id']}-both-{metric}", table)
    elif asked is not None:
        _offer(asked)


def _offer(asked: RunRequest) -> None:
    notices.write(
        "The rules of the BabyLM pipeline (no start symbol, ties correct, each piece masked alone) beside these:",
        "pl-quiet",
    )
    if st.button("Score by both rules", icon=":material/play_arrow:"):
        asked.start(asked.arguments(both=True))
        st.rerun()
