"""The frame of every result: findings, charts, tables, one download menu, the receipt. It knows no study."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.results.report import report
from core.results.result import Column, Figure, Headline, Notice, Result, Table
from pages.components.shared import notices
from pages.components.shared.downloads import File, Part, gathered_downloads, show_chart, show_menu
from pages.components.shared.receipt import show_receipt
from pages.components.shared.tables import show_table, show_tabs

_MARKS = {"A": '<i class="pl-member a"></i>', "B": '<i class="pl-member b"></i>'}
_BOXES: Mapping[str, Callable[[object], None]] = {
    "remark": notices.text, "note": notices.note, "warning": notices.warning,
}  # fmt: skip


_SIDE_BY_SIDE = 3

Rows = Callable[[pd.DataFrame], pd.DataFrame]
"""Those rows of a table that are drawn."""


@dataclass(frozen=True)
class Views:
    """What a page adds, because no table or chart can say it, and where.

    `above_charts` may return which rows are drawn, `beside_downloads` what follows below the footer. `clicks` are
    called when something is selected in the figure of that name, below which stands what `beneath` draws; `rows` with
    the row (all its columns) that is chosen in the table of that name; `tabs` follow those of the tables. Without
    `charts` only those beside tables are drawn: the page has drawn the others.
    """

    above_charts: Callable[[], Rows | None] = lambda: None
    below_charts: Callable[[], None] = lambda: None
    beside_downloads: Callable[[], Callable[[], None] | None] = lambda: None
    clicks: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    beneath: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    rows: Mapping[str, Callable[[pd.Series], None]] = field(default_factory=dict)
    tabs: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    charts: bool = True


def show_findings(result: Result) -> None:
    """What was found by each model, a few side by side, then what is to be kept in mind about all."""
    models = result.models
    places = st.columns(len(models), gap="large") if len(models) <= _SIDE_BY_SIDE else [st.container()] * len(models)
    for column, model in zip(places, models, strict=True):
        with column, st.container(gap="xsmall"):
            notices.text(model, "pl-quiet")
            _show_model(result, model)
    for notice in result.notices_of(""):
        _show_notice(notice)


def show_evidence(result: Result, views: Views = Views(), gathered: Sequence[Part] = ()) -> None:
    """Charts, tables in tabs, and the footer with downloads, those `gathered` above among them, and receipt."""
    with gathered_downloads() as charts:
        rows = views.above_charts()
        for figure in (one for one in result.figures if views.charts and not one.beside):
            _show_figure(result, figure, views, rows)
        views.below_charts()
        show_tabs(
            {**{table.title: partial(_show_tab, result, table, views) for table in result.tables}, **views.tabs}
        )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _show_menu(result, [*gathered, *charts])
        follows = views.beside_downloads()
        show_receipt(lambda: result.provenance, result.file)
    if follows:
        follows()


def _show_figure(result: Result, figure: Figure, views: Views, rows: Rows | None = None) -> None:
    frame = result.table(figure.table).frame
    chart = figure.draw(rows(frame) if rows else frame)
    show_chart(chart, f"{figure.name}_chart", views.clicks.get(figure.name))
    if show := views.beneath.get(figure.name):
        show()


def _show_model(result: Result, model: str) -> None:
    """A model's warnings, its headlines, its remarks; or what is to be said instead."""
    if instead := result.instead_of(model):
        notices.instead(" ".join(instead))
        return
    about = result.notices_of(model)
    for notice in (one for one in about if one.severity == "warning"):
        _show_notice(notice)
    own = [headline for headline in result.headlines if headline.model == model and headline.sentence]
    for place, headline in enumerate(own):
        _show_headline(headline, "pl-plain" if place else "pl-headline")
    for notice in (one for one in about if one.severity != "warning"):
        _show_notice(notice)


def _show_headline(headline: Headline, style: str) -> None:
    """The sentence, after the mark of the side that it decides for."""
    mark = _MARKS.get(str(headline.more.get("preferred")), "")
    notices.write(f"{mark}$text", style, text=headline.sentence)


def _show_notice(notice: Notice) -> None:
    _BOXES[notice.severity](" ".join(filter(None, (notice.message, notice.advice))))


def _show_tab(result: Result, table: Table, views: Views) -> None:
    """The charts that stand beside a table, then the table; what each column is stands on its heading."""
    if table.about:
        notices.text(table.about, "pl-quiet")
    for figure in (one for one in result.figures if one.beside and one.table == table.name):
        _show_figure(result, figure, views)
    show_rows(table, views.rows.get(table.name), f"rows_of_{result.file}_{table.name}")


def show_rows(table: Table, follow: Callable[[pd.Series], None] | None, key: str) -> None:
    """A table, of which a row can be chosen (at first the top one) if something is to `follow`."""
    if len(table.frame) > table.most:
        notices.write("The first $shown of $n rows.", "pl-quiet", shown=f"{table.most:,}", n=f"{len(table.frame):,}")
    described: dict[str, Any] = {"column_config": {column.heading: _described(column) for column in table.drawn}}
    if follow is None or table.frame.empty:
        show_table(table.for_people(), alt=table.title, **described)
        return
    event = show_table(
        table.for_people(), alt=table.title, **described, on_select="rerun", selection_mode="single-row",
        key=f"{key}_{len(table.frame)}", selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        follow(table.frame.iloc[place])


def _described(column: Column) -> object:
    if column.form.endswith("%"):
        return st.column_config.NumberColumn(format="percent", help=column.about)
    if column.form:
        return st.column_config.NumberColumn(format=f"%{column.form}", help=column.about)
    return st.column_config.Column(help=column.about)


def _show_menu(result: Result, charts: list[Part]) -> None:
    """The first table comes with the first figure; the report is made when it is asked for."""
    alone = bool(charts) and charts[0].table is None
    first, others = (charts[0], charts[1:]) if alone else (Part(""), charts)
    parts = [
        Part(
            f"{result.file}-{table.name}" if place else result.file,
            partial(getattr, table, "frame"),
            None if place else first.chart,
        )
        for place, table in enumerate(result.tables)
    ]
    printed = File("Report (HTML)", lambda: report(result), f"{result.file}.html", "text/html")
    exports = [File(one.label, one.make, f"{result.file}{one.ending}") for one in result.exports]
    show_menu(result.file, [*parts, *others], exports, reports=[printed])
