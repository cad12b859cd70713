"""The frame of every result: findings, charts, tables, one download menu, the receipt. It knows no study."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices
from pages.components.shared.downloads import File, Part, gathered_downloads, name_of_chart, show_chart, show_menu
from pages.components.shared.receipt import show_receipt
from pages.components.shared.tables import show_table, show_tabs
from pairlens.charts.drawing import Chart
from pairlens.charts.style import in_language
from pairlens.messages import Message
from pairlens.results.report import report
from pairlens.results.result import Column, Figure, Headline, Notice, Result, Table
from pairlens.results.text import unsaid
from pairlens.text.languages import SOURCE, Language

_MARKS = {"A": '<i class="pl-member a"></i>', "B": '<i class="pl-member b"></i>'}
_BOXES: Mapping[str, Callable[[object], None]] = {
    "remark": notices.text, "note": notices.note, "warning": notices.warning,
}  # fmt: skip


_SIDE_BY_SIDE = 3
_ENGLISH = Language()

Rows = Callable[[pd.DataFrame], pd.DataFrame]
"""Those rows of a table that are drawn."""


@dataclass(frozen=True)
class Views:
    """What a page adds, because no table or chart can say it, and where.

    `above_charts` may return which rows are drawn, `beside_downloads` what follows below the footer. By the name of a
    figure: `clicks` are called when something is selected in it, `beneath` below it. By that of a table: `filters`
    choose the rows that it has, `rows` are called with the row (all its columns) that is chosen, at first in those
    that are `opened` the first one, `below` where the table ends. `tabs` follow those of the tables. Without
    `charts` only those beside tables are drawn: the page has drawn the others.
    """

    above_charts: Callable[[], Rows | None] = lambda: None
    below_charts: Callable[[], None] = lambda: None
    beside_downloads: Callable[[], Callable[[], None] | None] = lambda: None
    clicks: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    beneath: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    filters: Mapping[str, Rows] = field(default_factory=dict)
    rows: Mapping[str, Callable[[pd.Series], None]] = field(default_factory=dict)
    opened: Collection[str] = ()
    below: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    tabs: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    charts: bool = True


def show_findings(result: Result, say: Language = _ENGLISH) -> None:
    """What was found by each model, a few side by side, then what is to be kept in mind about all."""
    models = result.models
    places = st.columns(len(models), gap="large") if len(models) <= _SIDE_BY_SIDE else [st.container()] * len(models)
    for column, model in zip(places, models, strict=True):
        with column, st.container(gap="xsmall"):
            if not any(model in sentence for sentence in result.sentences[model][:1]):
                notices.text(model, "pl-quiet")
            _show_model(result, model, say)
    _show_notices(result.notices_of(""), say)


def show_evidence(
    result: Result, views: Views = Views(), say: Language = _ENGLISH, *, key: str = "", gathered: Sequence[Part] = ()
) -> None:
    """Charts, tables in tabs, and the footer with downloads (those `gathered` above too) and receipt.

    The link has the open tab as `key`.
    """
    with gathered_downloads() as charts:
        rows = views.above_charts()
        above = [figure for figure in result.figures if views.charts and not figure.beside]
        _show_figures(result, above, views, say, rows)
        views.below_charts()
        drawn = [table for table in result.tables if table.drawn]
        tabs = {say(table.title): partial(_show_tab, result, table, views, say, rows) for table in drawn}
        show_tabs({**tabs, **views.tabs}, key, translate=say)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _show_menu(result, [*gathered, *charts], say)
        follows = views.beside_downloads()
        show_receipt(lambda: result.provenance, result.stem, say)
    if follows:
        follows()


def _show_figures(
    result: Result, figures: Sequence[Figure], views: Views, say: Language, rows: Rows | None = None
) -> None:
    """One below the other, each with what is to be seen in it unless that is said above; panels two abreast."""
    headlines, messages = (
        (headline.sentence for headline in result.headlines),
        (notice.message for notice in result.notices),
    )
    sentences = [str(sentence) for sentence in chain(headlines, messages)]
    columns: list[DeltaGenerator] = []
    for figure in figures:
        columns = columns or (list(st.columns(2)) if figure.panel else [st.container()])
        with columns.pop(0):
            if figure.panel:
                notices.text(say(figure.panel), "pl-label")
            elif unsaid(str(figure.finding), sentences):
                notices.text(say(figure.finding))
            show_chart(_draw(result, figure, say, rows), f"{figure.name}_chart", views.clicks.get(figure.name))
            if show := views.beneath.get(figure.name):
                show()


def _show_model(result: Result, model: str, say: Language) -> None:
    """A model's warnings, its headlines, its remarks, its details when asked; or what is to be said instead."""
    if instead := result.instead_of(model):
        notices.instead(" ".join(map(say, instead)))
        return
    about = result.notices_of(model)
    for notice in (notice for notice in about if notice.severity == "warning"):
        _show_notice(notice, say)
    own = [headline for headline in result.headlines if headline.model == model and headline.sentence]
    for place, headline in enumerate(own):
        _show_headline(headline, "pl-plain" if place else "pl-headline", say)
    _show_notices([notice for notice in about if notice.severity != "warning"], say)


def _show_notices(about: Sequence[Notice], say: Language) -> None:
    """In their order, but details only when they are asked for."""
    for notice in (notice for notice in about if notice.severity != "detail"):
        _show_notice(notice, say)
    if details := [notice for notice in about if notice.severity == "detail"]:
        with st.popover(say("About this number"), type="tertiary"):
            for notice in details:
                notices.text(say(notice.message))


def _show_headline(headline: Headline, style: str, say: Language) -> None:
    mark = _MARKS.get(str(headline.more.get("preferred")), "")
    notices.write(f"{mark}$text", style, text=say(headline.sentence))


def _show_notice(notice: Notice, say: Language) -> None:
    _BOXES[notice.severity](" ".join(map(say, filter(None, (notice.message, notice.advice)))))


def _show_tab(result: Result, table: Table, views: Views, say: Language, rows: Rows | None) -> None:
    if lead := table.lead():
        notices.text(say(lead), "pl-quiet")
    beside = [figure for figure in result.figures if figure.beside and figure.table == table.name]
    _show_figures(result, beside, views, say, rows)
    if narrow := views.filters.get(table.name):
        table = replace(table, make=partial(narrow, table.frame))
    follow = views.rows.get(table.name)
    show_rows(table, follow, f"rows_of_{result.file}_{table.name}", say, opened=table.name in views.opened)
    if below := views.below.get(table.name):
        below()


def show_rows(
    table: Table, follow: Callable[[pd.Series], None] | None, key: str, say: Language = _ENGLISH, *,
    opened: bool = False,
) -> None:  # fmt: skip
    """A table, its columns explained; a row (at first the top, if `opened`) can be chosen if something follows."""
    if len(table.frame) > table.most:
        notices.text(say("The first {shown:,} of {n:,} rows.", shown=table.most, n=len(table.frame)), "pl-quiet")
    shown = _in_words(table, say)
    described = {heading: _described(column, say) for heading, column in zip(shown, table.drawn, strict=True)}
    options: dict[str, Any] = {"alt": say(table.title), "column_config": described}
    if follow is None or shown.empty:
        show_table(shown, **options)
        return
    if opened:
        options["selection_default"] = {"selection": {"rows": [0]}}
    event = show_table(
        shown, on_select="rerun", selection_mode="single-row", key=f"{key}_{len(table.frame)}", **options
    )
    for place in [place for place in event.selection.rows if place < len(table.frame)][:1]:
        follow(table.frame.iloc[place])


def _in_words(table: Table, say: Language) -> pd.DataFrame:
    """The rows that people are shown, with headings, messages and numbers as this language has them."""
    shown = table.for_people()
    for column in table.drawn:
        cells = shown[column.heading]
        if cells.dtype == object:
            shown[column.heading] = [say(cell) if isinstance(cell, Message) else cell for cell in cells]
        elif say.locale != SOURCE and cells.dtype.kind in "fiu":
            form = column.form or (".3f" if cells.dtype.kind == "f" else ",")
            shown[column.heading] = cells.map(partial(say.number, form=form), na_action="ignore")
        elif column.form.endswith("%"):
            shown[column.heading] = cells.map(partial(_rounded, form=column.form), na_action="ignore")
    headings = {column.heading: column.heading.replace(column.title, say(column.title)) for column in table.drawn}
    return shown.rename(columns=headings)


def _rounded(share: float, form: str) -> float:
    """As sentences round it: a table with a step cuts off what is beyond it (30 of 32 would be 93.7 %)."""
    return float(format(share, form).removesuffix("%")) / 100


def _described(column: Column, say: Language) -> object:
    about, form = say(column.about), column.form
    if not form:
        return st.column_config.Column(help=about)
    if say.locale != SOURCE:
        return st.column_config.TextColumn(help=about, alignment="right")
    if form.endswith("%"):  # a step of the share says how many decimals the percentage has
        return st.column_config.NumberColumn(format="percent", step=10.0 ** -(int(form[-2]) + 2), help=about)
    return st.column_config.NumberColumn(format="localized" if "," in form else f"%{form}", help=about)


def _show_menu(result: Result, gathered: Sequence[Part], say: Language) -> None:
    """Every table and figure, those of tabs that are closed too; these and the report are made when asked for."""
    parts = [
        Part(
            f"{result.stem}-{table.name}", partial(getattr, table, "frame"),
            title=say(table.title) if table.drawn else table.name,
        )
        for table in result.tables
    ]  # fmt: skip
    drawn = {part.name: part for part in gathered if part.chart is not None and part.table is None}
    for place, figure in enumerate(result.figures):
        name = f"{result.stem}-{figure.name}" if place else result.stem
        here = drawn.pop(name_of_chart(f"{figure.name}_chart"), None)
        title = " · ".join(map(say, filter(None, (result.table(figure.table).title, figure.panel))))
        parts.append(Part(name, chart=here.chart if here else partial(_draw, result, figure, say), title=title))
    parts += [part for part in gathered if part.table is not None or part.name in drawn]
    printed = File(say("Report (HTML)"), lambda: report(result), f"{result.stem}.html", "text/html")
    exports = [File(say(export.label), export.make, f"{result.stem}{export.ending}") for export in result.exports]
    show_menu(result.stem, parts, exports, say, reports=[printed], all_formats=True)


def _draw(result: Result, figure: Figure, say: Language, rows: Rows | None = None) -> Chart:
    frame = result.table(figure.table).frame
    return in_language(figure.draw(rows(frame) if rows else frame), say)
