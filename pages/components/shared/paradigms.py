"""The main charts: runs beside what was published, paradigm by paradigm, and two of them item by item."""

from collections.abc import Iterable, Sequence
from itertools import chain

import altair as alt
import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart
from pages.components.shared.show_result import Views, show_evidence
from pages.components.shared.tables import show_table
from pairlens.analysis import published
from pairlens.analysis.summary import summary_in_words
from pairlens.charts.accuracy import GROUP, accuracy_beside, accuracy_by_group
from pairlens.charts.drawing import unchecked
from pairlens.charts.named_rows import Measure
from pairlens.evaluation.result import Run, by_paradigm, compared, condition, labels
from pairlens.evaluation.samples import is_sample
from pairlens.metrics import METRICS
from pairlens.reports.run_comparison.result import of_two
from pairlens.results.result import Result
from pairlens.types import Task

_ORDERS = ("by phenomenon", "by score")
_MOST = 120
"""Rows of a chart; all are in the table."""
_WHO = {"group": "Paradigm", "system": "Who", "name": "Who"}
_PERCENT = st.column_config.NumberColumn("Published", format="percent")


def choose_metric(result: Run) -> str:
    """Which of the run's numbers is drawn, where there are several; in the link."""
    return choose_among([str(name) for name in result.metrics["name"].unique()], result.task)


def choose_among(names: Sequence[str], task: Task) -> str:
    titles = {METRICS[name].title: name for name in names}
    if len(names) == 1:
        return names[0]
    chosen = st.segmented_control(
        "Number", list(titles), default=next(iter(titles)), required=True, key=f"metric_{task.name}",
        bind="query-params",
    )  # fmt: skip
    return titles[str(chosen)]


def measure_of(task: Task, metric: str) -> Measure:
    title = METRICS[metric].title
    right = f"{task.noun.capitalize()}s right"
    return Measure(right if metric == "accuracy" else title, METRICS[metric].scale)


def show_beside(results: Sequence[Run], metric: str) -> None:
    """The runs and what was published under the same condition in one chart; what was under another in a table."""
    rows = compared(results, metric)
    if len(rows) < 2 or rows["value"].isna().all():
        return
    others = rows["mark"] == published.OTHER
    if len(drawn := rows[~others]) > 1:
        finding, measure = _finding(results[0], metric), measure_of(results[0].task, metric)
        show_chart(accuracy_beside(drawn, finding, measure), f"beside_{metric}")
    _list_others(rows[others], "name")
    if "source" in rows:
        _show_sources(rows["source"].dropna().unique())


def _list_others(others: pd.DataFrame, *who: str) -> None:
    if len(others):
        with st.expander(f"Published under other conditions, not drawn: {len(others):,}"):
            columns = {**{name: _WHO[name] for name in who}, "value": _PERCENT, "note": "What is different"}
            show_table(others[list(columns)], column_config=columns, alt="Published figures that are not comparable")


def _show_sources(names: Iterable[str]) -> None:
    with st.popover("Where the published figures are from", icon=":material/format_quote:"):
        for source in map(published.sources().__getitem__, names):
            notices.write(
                '$title, $of. $about <a href="$address" target="_blank">$address</a>',
                title=source.title, of=source.of, about=source.about, address=source.address,
            )  # fmt: skip


def _finding(result: Run, metric: str) -> str:
    first = result.metrics[result.metrics["name"] == metric].iloc[0]
    return f"{result.manifest['title']}: {summary_in_words(first, result.task.clusters)}"


def show_paradigms(results: Sequence[Run], metric: str) -> tuple[pd.DataFrame, alt.LayerChart | None, str | None]:
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
        known = published.beside(first.task.name, metric, tables[0], condition(first))
        figures = _choose_published(first, metric, known)
    grouped = order == _ORDERS[0]
    if not grouped:
        tables = [table.sort_values("value", kind="stable") for table in tables]
    rows = pd.concat(tables, ignore_index=True)
    drawn = rows[rows["group"].isin(rows["group"].unique()[:_MOST])]
    finding = _finding(first, metric)
    chart = accuracy_by_group(drawn, finding, measure_of(first.task, metric), figures, sections=grouped)
    key = f"paradigms_{'_'.join(result.manifest['run_id'] for result in results)}_{metric}_{order}"
    event = st.altair_chart(unchecked(chart), on_select="rerun", key=key)
    if len(drawn) < len(rows):
        shown, n = (table["group"].nunique() for table in (drawn, rows))
        notices.text(f"The first {shown:,} of {n:,} rows; all are in the table.", "pl-quiet")
    if not is_sample(first.manifest["data"]):
        _list_others(known[known["mark"] == published.OTHER], "group", "system")
    clicked = [point["group"] for point in event.selection.get(GROUP, []) if "group" in point]
    return rows, chart, clicked[0] if clicked else None


def _choose_published(result: Run, metric: str, known: pd.DataFrame) -> pd.DataFrame:
    """The published figures that are drawn among the paradigms, none to begin with; none beside our sample."""
    same = known[known["mark"] == published.SAME]
    systems = list(same["system"].unique())
    if not systems or is_sample(result.manifest["data"]):
        return same.head(0)
    chosen = st.pills(
        "Published", systems, selection_mode="multi", key=f"published_{result.task.name}_{metric}",
        persist_state="session",
    )  # fmt: skip
    return same[same["system"].isin(chosen)]


def show_paired(results: Sequence[Run], metric: str) -> None:
    """Two of the runs compared: sentences, a chart of differences by paradigm, tests, items that changed sides."""
    by_name = dict(zip(labels(results), results, strict=True))
    first, second = (by_name[name] for name in _choose_two(list(by_name)))
    both = _compared(first, second, metric)
    finding, *others = [*chain(*both.sentences.values()), *both.cautions]
    notices.text(finding, "pl-second")
    for sentence in others:
        notices.text(sentence, "pl-quiet")
    for figure in (figure for figure in both.figures if not figure.beside):
        show_chart(figure.draw(both.table(figure.table).frame), f"{figure.name}_{metric}")
    with st.expander("Tests, and the items that only one of them gets right"):
        show_evidence(both, Views(charts=False), key="paired")


def _choose_two(names: Sequence[str]) -> tuple[str, str]:
    if len(names) == 2:
        return names[0], names[1]
    with st.container(horizontal=True):
        first = st.selectbox("A", names, key="paired_a", width=320, persist_state="session")
        others = [name for name in names if name != first]
        second = st.selectbox("B", others, key="paired_b", width=320, persist_state="session")
    return first, second


@resources.remembered("Comparing …", 32)
def _compared(first: Run, second: Run, metric: str) -> Result:
    return of_two(resources.store(), first.manifest["run_id"], second.manifest["run_id"], metric)
