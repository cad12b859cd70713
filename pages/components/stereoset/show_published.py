"""Models beside each other and beside published figures; those that are not comparable are listed only, with why."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.charts.accuracy import accuracy_beside
from core.charts.named_rows import Measure
from core.studies.stereoset import beside
from core.studies.stereoset import rows as rows_of
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table
from pages.components.stereoset.results import StereoSetResult

_MEASURES = ("SS", "LMS", "ICAT")
_COLUMNS = {
    "name": "Who", "note": st.column_config.TextColumn("What", width="large"),
    **{measure: st.column_config.NumberColumn(format="%.2f") for measure in _MEASURES},
}  # fmt: skip


def show_published(shown: Sequence[StereoSetResult], kind: str) -> None:
    """One number of everybody, then all three in a table."""
    named = {one.name: one.measured for one in shown}
    first = shown[0]
    preset = first.policy.name if first.model else ""
    known = beside.published_rows(first.measured, kind, first.examples.language, preset)
    if first.sample:
        notices.note(
            "Our sample is not StereoSet: its numbers are not drawn beside published ones, which are about other "
            "examples. Choose StereoSet itself above."
        )
        _show_table(known, kind)
        return
    measure = str(st.segmented_control(
        "Number", _MEASURES, default="SS", required=True, key="stereoset_beside", bind="query-params",
    ))  # fmt: skip
    rows = beside.beside_rows(rows_of.score_rows(named, kind), known, measure)
    finding = beside.beside_finding(rows, measure)
    notices.write("$finding", finding=finding)
    chart = accuracy_beside(rows[rows["mark"] != "other"], finding, Measure(measure))
    show_chart(chart, f"stereoset_beside_{kind}_{measure}")
    if known.empty:
        notices.write("Nothing was published about examples in this language.", "pl-quiet")
    elif not known["same"].any():
        notices.write(
            "Published figures are listed and not drawn: $why",
            "pl-quiet",
            why=known["note"].iloc[0].partition("Not comparable: ")[2],
        )
    table = pd.concat([rows_of.score_rows(named, kind).rename(columns={"model": "system"}), known])
    _show_table(table, kind, chart)


def _show_table(table: pd.DataFrame, kind: str, chart: alt.LayerChart | None = None) -> None:
    """LMS, SS and ICAT of everybody, a row each, and the downloads."""
    if table.empty:
        return
    wide = table.pivot_table(index="system", columns="measure", values="value", sort=False).reset_index()
    notes = table[["system", "note"]].dropna().drop_duplicates()
    show_table(
        wide.merge(notes, how="left", on="system").fillna({"note": ""}).rename(columns={"system": "name"}),
        alt="LMS, SS and ICAT of models and published ones", column_config=_COLUMNS,
    )  # fmt: skip
    show_downloads(f"stereoset-beside-{kind}", table, chart)
