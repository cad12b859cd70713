"""Charts of a comparison: every run's numbers, their differences, checkpoints over training, every pair."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.summary import OVERALL
from core.charts.named_rows import Measure
from core.charts.run_comparison import differences_by_group, every_pair, values_by_group
from core.charts.run_numbers import over_training
from core.metrics import METRICS
from core.reports.run_comparison import wording
from core.reports.run_comparison.report import RunComparison
from core.reports.run_comparison.training import ALL, curve, moments
from pages.components.results import resources as kept
from pages.components.shared import notices, resources
from pages.components.shared.number_columns import number_columns
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_MOST_ROWS = 40
_LINES = 5
_WHOLE = "all"
_NUMBERS = {
    "value": "Value", "value_reference": "Reference", "difference": "Difference", "low": "95 % from", "high": "to",
}  # fmt: skip
_COLUMNS = {
    "run": "Run",
    "group": "Group",
    "n": st.column_config.NumberColumn("Items in both", format="localized"),
    "only_run": st.column_config.NumberColumn("Only the run", format="localized"),
    "only_reference": st.column_config.NumberColumn("Only the reference", format="localized"),
    "p": st.column_config.NumberColumn("p (exact)", format="%.3g"),
    "p_holm": st.column_config.NumberColumn("p (Holm)", format="%.3g"),
}
_ORDER = ("run", "group", *_NUMBERS, "n", "only_run", "only_reference", "p", "p_holm")


def show_run_numbers(found: RunComparison) -> None:
    """Numbers by group with intervals, differences around zero, and the table of tests."""
    measure = Measure(METRICS[found.metric].title, METRICS[found.metric].scale)
    said = " ".join([*found.findings, wording.beyond_chance(found.differences)])
    shown = _largest(found.differences)
    left, right = st.columns(2, gap="large")
    with left:
        st.header("The numbers", anchor=False)
        values = _rows(found.values, shown)
        show_chart(chart := values_by_group(values, said, measure), f"numbers_{found.metric}")
        show_downloads(f"numbers-{found.metric}", found.values, chart)
    with right:
        st.header(f"Differences from {notices.literal(found.reference.name)}", anchor=False)
        rows = _rows(found.differences, shown)
        if rows["difference"].isna().all():
            notices.note("The runs have no number in common.")
            return
        runs = [run.name for run in found.runs]
        chart = differences_by_group(rows, said, measure, found.reference.name, runs)
        show_chart(chart, f"differences_{found.metric}")
        show_downloads(f"differences-{found.metric}", found.differences, chart)
    _say_what_is_drawn(found, shown)
    with st.expander("Tests by group"):
        table = found.differences[list(_ORDER)]
        show_table(table, column_config=_COLUMNS | number_columns(_NUMBERS, found.metric))


def show_training(found: RunComparison) -> None:
    """The runs as a curve, if they are checkpoints of one model."""
    moment = moments(found.runs, resources.store())
    if not moment:
        return
    points = curve(found.values, found.runs, moment)
    st.header("Over training", anchor=False)
    groups = [line for line in points["line"].unique() if line != ALL]
    chosen = st.multiselect(
        "Groups",
        groups,
        key="compared_lines",
        max_selections=_LINES,
        placeholder="Add groups",
        persist_state="session",
    )
    unit = points["unit"].iloc[0]
    finding = f"{points['checkpoint'].nunique()} checkpoints, up to {points['words'].max():,.0f} {unit}"
    measure = Measure(METRICS[found.metric].title, METRICS[found.metric].scale)
    drawn = points[points["line"].isin([ALL, *chosen])]
    chart = over_training(drawn, finding, measure, f"{unit.capitalize()} seen")
    show_chart(chart, "compared_training")
    ageless = [run.name for run in found.runs if not moment[run.id].words]
    if ageless:
        notices.write(
            "Not shown, because their names do not say how much they had been trained: $names.", "pl-quiet",
            names=", ".join(ageless),
        )  # fmt: skip
    show_downloads("compared-training", points, chart)


def show_every_pair(found: RunComparison) -> None:
    """More than two runs: each minus each other."""
    if len(found.runs) < 3:
        return
    pairs = kept.pairwise(found)
    clear = int(pairs["clear"].sum()) // 2
    n_pairs = len(pairs) // 2
    said = f"{clear} of {n_pairs} pairs of runs differ beyond chance (corrected for {n_pairs} tests)."
    st.header("Every pair", anchor=False)
    notices.write("Row minus column, in bold where it is beyond chance. $said", "pl-quiet", said=said)
    measure = Measure(METRICS[found.metric].title, METRICS[found.metric].scale)
    show_chart(chart := every_pair(pairs, said, measure), "every_pair")
    show_downloads(f"every-pair-{found.metric}", pairs, chart)


def _largest(differences: pd.DataFrame) -> list[str]:
    """The groups that are drawn, in their order: all, or those with the largest differences."""
    groups = differences[differences["group_by"] != OVERALL]
    sizes = groups["difference"].abs().groupby(groups["group"], sort=False).max()
    kept = set(sizes.nlargest(_MOST_ROWS, keep="first").index)
    return [group for group in sizes.index if group in kept]


def _rows(table: pd.DataFrame, groups: list[str]) -> pd.DataFrame:
    """The overall row, under one name whatever it is called, and those of these groups."""
    overall = table["group_by"] == OVERALL
    return table.assign(group=table["group"].mask(overall, _WHOLE))[overall | table["group"].isin(groups)]


def _say_what_is_drawn(found: RunComparison, shown: list[str]) -> None:
    said = wording.beyond_chance(found.differences)
    n_groups = found.differences.loc[found.differences["group_by"] != OVERALL, "group"].nunique()
    if n_groups > len(shown):
        said += (
            f" The chart shows the {len(shown)} of {n_groups} groups with the largest differences; the table has all."
        )
    if said:
        filled = "Filled marks are beyond chance."
        notices.write("$said $filled", "pl-quiet", said=said.strip(), filled=filled)
