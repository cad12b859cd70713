"""The main charts: runs beside what was published, and paradigm by paradigm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.analysis import published
from core.analysis.summary import summary_in_words
from core.charts.accuracy import GROUP, accuracy_beside, accuracy_by_group
from core.charts.measure import Measure
from core.metrics import METRICS
from core.runs.result import Result, by_paradigm, compared, labels
from core.runs.samples import is_sample
from core.types import Task
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart

_ORDERS = ("by phenomenon", "by score")
_MOST = 120
"""Rows of a chart; all are in the table."""
_HUMAN = "human"


def choose_metric(result: Result) -> str:
    """Which of the run's numbers is drawn, where there are several; in the link."""
    return choose_among([str(name) for name in result.metrics["name"].unique()], result.task)


def choose_among(names: Sequence[str], task: Task) -> str:
    """The same of these metrics of a task."""
    titles = {METRICS[name].title: name for name in names}
    if len(names) == 1:
        return names[0]
    chosen = st.segmented_control(
        "Number", list(titles), default=next(iter(titles)), required=True, key=f"metric_{task.name}",
        bind="query-params",
    )  # fmt: skip
    return titles[str(chosen)]


def measure_of(task: Task, metric: str) -> Measure:
    """The axis of a metric: what it counts, in words."""
    title = METRICS[metric].title
    right = f"{task.noun.capitalize()}s right"
    return Measure(right if metric == "accuracy" else title, METRICS[metric].scale)


def show_beside(results: Sequence[Result], metric: str) -> None:
    """The runs and what was published, in one chart; what its hollow marks are is said below."""
    rows = compared(results, metric)
    if len(rows) < 2 or rows["value"].isna().all():
        return
    finding = _finding(results[0], metric)
    show_chart(accuracy_beside(rows, finding, measure_of(results[0].task, metric)), f"beside_{metric}")
    hollow = rows[rows["mark"] == published.OTHER]
    if len(hollow):
        here = _first(results[0], metric)
        notices.write(
            "Hollow marks: other items, not comparable ($notes). Here: $n, ties count $ties.", "pl-quiet",
            notes=_noted(hollow, "name"), ties=results[0].policy.ties,
            n=notices.counted(int(here["n"]), results[0].task.noun),
        )  # fmt: skip
    if "source" in rows:
        _show_sources(rows["source"].dropna().unique())


def _show_sources(names: Iterable[str]) -> None:
    """Whose the published figures are, and where they were read."""
    with st.popover("Where the published figures are from", icon=":material/format_quote:"):
        for source in map(published.sources().__getitem__, names):
            notices.write(
                '$title, $of. $about <a href="$address" target="_blank">$address</a>',
                title=source.title, of=source.of, about=source.about, address=source.address,
            )  # fmt: skip


def _noted(hollow: pd.DataFrame, who: str) -> str:
    """Whose figures differ from the runs in what: `human: 5 pairs per paradigm; GPT-2, LSTM: ties count wrong`."""
    by_note = hollow.drop_duplicates([who, "note"]).groupby("note", sort=False)[who].agg(", ".join)
    return "; ".join(f"{names}: {note}" for note, names in by_note.items())


def _finding(result: Result, metric: str) -> str:
    """The number in words, with the name of the data."""
    return f"{result.manifest['title']}: {summary_in_words(_first(result, metric), result.task.clusters)}"


def _first(result: Result, metric: str) -> pd.Series:
    return result.metrics[result.metrics["name"] == metric].iloc[0]


def show_paradigms(results: Sequence[Result], metric: str) -> tuple[pd.DataFrame, alt.LayerChart | None, str | None]:
    """One row per paradigm, one dot per run. Returns the rows, the chart and the paradigm that was clicked."""
    first = results[0]
    tables = [
        by_paradigm(result, metric).assign(model=name) for result, name in zip(results, labels(results), strict=True)
    ]
    if len(tables[0].dropna(subset=["value"])) < 2:
        return pd.concat(tables), None, None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = st.segmented_control(
            "Paradigms", _ORDERS, default=_ORDERS[0], required=True, key="order", bind="query-params"
        )
        figures = _choose_published(first, metric, tables[0])
    grouped = order == _ORDERS[0]
    if not grouped:
        tables = [table.sort_values("value", kind="stable") for table in tables]
    rows = pd.concat(tables, ignore_index=True)
    drawn = rows[rows["group"].isin(rows["group"].unique()[:_MOST])]
    finding = _finding(first, metric)
    chart = accuracy_by_group(drawn, finding, measure_of(first.task, metric), figures, sections=grouped)
    key = f"paradigms_{'_'.join(result.manifest['run_id'] for result in results)}_{metric}_{order}"
    event = st.altair_chart(chart, on_select="rerun", key=key)
    _say_what_is_drawn(rows, drawn, figures)
    clicked = [point["group"] for point in event.selection.get(GROUP, []) if "group" in point]
    return rows, chart, clicked[0] if clicked else None


def _choose_published(result: Result, metric: str, rows: pd.DataFrame) -> pd.DataFrame:
    """The published figures that are drawn among the paradigms: people's to begin with, none beside our sample."""
    figures = published.beside(result.task.name, metric, rows, result.policy)
    systems = list(figures["system"].unique())
    if not systems or is_sample(result.manifest["data"]):
        return figures.head(0)
    chosen = st.pills(
        "Published", systems, selection_mode="multi", default=[_HUMAN] if _HUMAN in systems else [],
        key=f"published_{result.task.name}_{metric}", persist_state="session",
    )  # fmt: skip
    return figures[figures["system"].isin(chosen)]


def _say_what_is_drawn(rows: pd.DataFrame, drawn: pd.DataFrame, figures: pd.DataFrame) -> None:
    if len(drawn) < len(rows):
        said = f"The first {drawn['group'].nunique():,} of {rows['group'].nunique():,} rows; all are in the table."
        notices.write("$said", "pl-quiet", said=said)
    hollow = figures[figures["mark"] == published.OTHER]
    if len(hollow):
        notices.write(
            "Hollow grey marks: other items, not comparable ($notes).", "pl-quiet", notes=_noted(hollow, "system")
        )
