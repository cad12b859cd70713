"""Where a preference lies: SS by bias type, and term by term inside the band that chance alone gives."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.charts.stereoset import TERM, by_bias_type, terms_in_funnel
from core.studies.stereoset import advice, findings
from core.studies.stereoset import rows as rows_of
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table
from pages.components.stereoset.results import StereoSetResult
from pages.components.stereoset.show_triples import ALL, OF_TERM, OF_TYPE

_COLUMNS = {
    "term": "Term", "bias_type": "Bias type", "n": "Examples",
    "value": st.column_config.NumberColumn("SS", format="%.1f"),
    "low": st.column_config.NumberColumn("Band from", format="%.1f"),
    "high": st.column_config.NumberColumn("Band to", format="%.1f"),
    "outside": "Outside",
    "lms": st.column_config.NumberColumn("LMS", format="%.1f"),
    "icat": st.column_config.NumberColumn("ICAT", format="%.1f"),
}  # fmt: skip


def show_bias_types(shown: Sequence[StereoSetResult], kind: str) -> None:
    """A row per bias type, a dot per model."""
    named = {one.name: one.measured for one in shown}
    finding = findings.bias_finding(named, kind)
    notices.write("$finding", finding=finding)
    show_chart(by_bias_type(rows_of.bias_rows(named, kind), finding), f"stereoset_bias_{kind}")


def show_funnel(one: StereoSetResult, kind: str) -> None:
    """The terms of one model inside their band; a click on one chooses its triples."""
    rows = rows_of.term_rows(one.measured, kind)
    finding = advice.terms_in_words(one.measured, kind)
    notices.write("$finding", finding=finding)
    chart = terms_in_funnel(rows, rows_of.funnel(one.measured, kind), finding)
    key = f"stereoset_terms_{one.key}_{kind}"
    show_chart(chart, key, lambda: _take_click(key))
    for sentence in (
        advice.CAUTION,
        advice.spread_in_words(one.measured.cell(kind)),
        findings.coin(one.measured, kind),
    ):
        notices.write("$sentence", "pl-quiet", sentence=sentence)


def _take_click(key: str) -> None:
    """Callback: the term that was clicked is chosen, a click beside all of them chooses all."""
    clicked = [point["term"] for point in st.session_state[key].selection.get(TERM, []) if "term" in point]
    st.session_state[OF_TYPE], st.session_state[OF_TERM] = ALL, clicked[0] if clicked else ALL


def show_term_table(one: StereoSetResult, kind: str) -> None:
    """Every term with its numbers, the farthest from the whole first."""
    rows = rows_of.term_rows(one.measured, kind)
    centre = one.measured.cell(kind).around_ss.centre
    ordered = rows.iloc[(rows["value"] - centre).abs().argsort()[::-1]]
    show_table(ordered[list(_COLUMNS)], column_config=_COLUMNS, alt="One row per term")
    chart = terms_in_funnel(rows, rows_of.funnel(one.measured, kind), advice.terms_in_words(one.measured, kind))
    show_downloads(f"{one.key}-terms-{kind}", rows, chart)
