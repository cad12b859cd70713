"""Where a preference lies: by bias type, term by term, triple by triple; and models beside published figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.charts.accuracy import accuracy_beside
from core.charts.named_rows import Measure
from core.charts.stereoset import TERM, by_bias_type, terms_in_funnel
from core.studies.stereoset import findings
from core.studies.stereoset import rows as rows_of
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.link import open_in_compare
from pages.components.shared.tables import show_table
from pages.components.stereoset.results import StereoSetResult

_COLUMNS = {
    "term": "Term", "bias_type": "Bias type", "n": "Examples",
    "value": st.column_config.NumberColumn("SS", format="%.1f"),
    "low": st.column_config.NumberColumn("Band from", format="%.1f"),
    "high": st.column_config.NumberColumn("Band to", format="%.1f"),
    "outside": "Outside",
    "lms": st.column_config.NumberColumn("LMS", format="%.1f"),
    "icat": st.column_config.NumberColumn("ICAT", format="%.1f"),
}  # fmt: skip
_SHOWN = 500
ALL = "All"
LINK = OF_TYPE, OF_TERM = "bias_type", "term"
_SCORE = "%.3g"
_TRIPLES = {
    "term": "Term",
    "stereotype_text": st.column_config.TextColumn("Stereotype", width="medium"),
    "stereotype": st.column_config.NumberColumn("Score", format=_SCORE, width="small"),
    "anti_text": st.column_config.TextColumn("Anti-stereotype", width="medium"),
    "anti-stereotype": st.column_config.NumberColumn("Score", format=_SCORE, width="small"),
    "unrelated_text": st.column_config.TextColumn("Unrelated", width="medium"),
    "unrelated": st.column_config.NumberColumn("Score", format=_SCORE, width="small"),
    "prefers": "Prefers",
    "context": st.column_config.TextColumn("Context", width="medium"),
    "bias_type": "Bias type",
}
_MEASURES = ("SS", "LMS", "ICAT")
_BESIDE = {
    "name": "Who", "note": st.column_config.TextColumn("What", width="large"),
    **{measure: st.column_config.NumberColumn(format="%.2f") for measure in _MEASURES},
}  # fmt: skip


def show_bias_types(shown: Sequence[StereoSetResult], kind: str) -> None:
    """A row per bias type, a dot per model."""
    named = {one.name: one.measured for one in shown}
    finding = findings.bias_finding(named, kind)
    notices.text(finding)
    show_chart(by_bias_type(rows_of.bias_rows(named, kind), finding), f"stereoset_bias_{kind}")


def show_funnel(one: StereoSetResult, kind: str) -> None:
    """The terms of one model inside their band; a click on one chooses its triples."""
    rows = rows_of.term_rows(one.measured, kind)
    finding = findings.terms_in_words(one.measured, kind)
    notices.text(finding)
    chart = terms_in_funnel(rows, rows_of.funnel(one.measured, kind), finding)
    key = f"stereoset_terms_{one.key}_{kind}"
    show_chart(chart, key, lambda: _take_click(key))
    for sentence in (
        findings.CAUTION,
        findings.spread_in_words(one.measured.cell(kind)),
        findings.coin(one.measured, kind),
    ):
        notices.text(sentence, "pl-quiet")


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
    chart = terms_in_funnel(rows, rows_of.funnel(one.measured, kind), findings.terms_in_words(one.measured, kind))
    show_downloads(f"{one.key}-terms-{kind}", rows, chart)


def show_triples(one: StereoSetResult, kind: str) -> None:
    """All triples of a task, or those of one bias type or term."""
    rows = rows_of.triple_rows(one.examples, one.measured, kind)
    with st.container(horizontal=True):
        bias_type = _choose("Bias type", rows["bias_type"].unique(), OF_TYPE)
        rows = rows if bias_type == ALL else rows[rows["bias_type"] == bias_type]
        term = _choose("Term", sorted(rows["term"].unique()), OF_TERM)
        rows = rows if term == ALL else rows[rows["term"] == term]
    shown = rows.head(_SHOWN)
    notices.write(
        "$shown of $n. Only the order of the three scores counts. Choose one to open its pair in Compare.",
        "pl-quiet", shown=f"{len(shown):,}", n=notices.counted(len(rows), "triple"),
    )  # fmt: skip
    event = show_table(
        shown[list(_TRIPLES)], column_config=_TRIPLES, on_select="rerun",
        selection_mode="single-row", key=f"stereoset_triples_{one.key}_{kind}_{bias_type}_{term}",
        selection_default={"selection": {"rows": [0]}}, alt="One row per triple",
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        open_in_compare(*rows_of.pair_of(shown.iloc[place]), one.model, one.policy)
    show_downloads(f"{one.key}-triples-{kind}", rows)


def _choose(label: str, choices: Iterable[str], key: str) -> str:
    """One of them, in the link as `key`, or all: also where what was chosen is not among them any more."""
    listed = [ALL, *choices]
    if st.session_state.get(key, ALL) not in listed:
        st.session_state[key] = ALL
    return str(st.selectbox(label, listed, key=key, bind="query-params", width=220))


def show_published(shown: Sequence[StereoSetResult], kind: str) -> None:
    """One number of everybody, then all three in a table."""
    named = {one.name: one.measured for one in shown}
    first = shown[0]
    preset = first.policy.name if first.model else ""
    known = rows_of.published_rows(first.measured, kind, first.examples.language, preset)
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
    rows = rows_of.beside_rows(rows_of.score_rows(named, kind), known, measure)
    finding = rows_of.beside_finding(rows, measure)
    notices.text(finding)
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
    if table.empty:
        return
    wide = table.pivot_table(index="system", columns="measure", values="value", sort=False).reset_index()
    notes = table[["system", "note"]].dropna().drop_duplicates()
    show_table(
        wide.merge(notes, how="left", on="system").fillna({"note": ""}).rename(columns={"system": "name"}),
        alt="LMS, SS and ICAT of models and published ones", column_config=_BESIDE,
    )  # fmt: skip
    show_downloads(f"stereoset-beside-{kind}", table, chart)
