"""Charts, and one Download menu per result: its tables, its figures for print, and files for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial

import altair as alt
import pandas as pd
import streamlit as st
from altair.utils.schemapi import disable_debug_mode

from pages.components.shared import notices
from pairlens.charts.drawing import Chart, specification, unchecked
from pairlens.charts.figure import FIGURES, NARROWEST, WIDEST, WIDTHS, Look, figure, names
from pairlens.files.exports import SPREADSHEET, latex, local_csv, workbook, written

_gathered: ContextVar[list[Part] | None] = ContextVar("gathered", default=None)
Translate = Callable[[str], str]
_FORMATS = {"JSON": ".json", "TSV": ".tsv", "Parquet": ".parquet"}
"""For programs, the first of them for every table."""
_MOST_ROWS = 100_000
"""A spreadsheet of more would take minutes to make, and to open."""
_FREE = 0.0

disable_debug_mode()  # of Altair, which checks every part of a chart again and again; tests check whole charts


@dataclass(frozen=True)
class Part:
    """A table, a chart or both, in files of this `name`; `sheets` of its workbook; `published` in their own form.

    `title` is what a menu of several calls it, if not its name. A chart that is not on the page is drawn when its
    files are wanted.
    """

    name: str
    table: Callable[[], pd.DataFrame] | None = None
    chart: Chart | Callable[[], Chart] | None = None
    sheets: Mapping[str, pd.DataFrame] | None = None
    published: Sequence[File] = ()
    title: str = ""

    def drawn(self) -> Chart | None:
        return self.chart if self.chart is None or isinstance(self.chart, alt.TopLevelMixin) else self.chart()


@contextmanager
def gathered_downloads() -> Iterator[list[Part]]:
    """Inside, `show_downloads` draws nothing: tables and charts are collected for the one menu below them."""
    parts: list[Part] = []
    token = _gathered.set(parts)
    try:
        yield parts
    finally:
        _gathered.reset(token)


def _gather(part: Part) -> bool:
    """Whether this part is kept for a menu; a chart that comes with its table replaces itself without one."""
    parts = _gathered.get()
    if parts is None:
        return False
    parts[:] = [one for one in parts if one.chart is None or one.chart is not part.chart]
    parts.append(part)
    return True


@dataclass(frozen=True)
class File:
    label: str
    data: Callable[[], str | bytes]
    name: str
    kind: str = "application/octet-stream"


def show_chart(chart: Chart, key: str, on_click: Callable[[], None] | None = None) -> None:
    """A chart as wide as the page; `on_click` is called for a selection, which the session state has as `key`."""
    _gather(Part(name_of_chart(key), chart=chart))
    st.altair_chart(unchecked(chart), key=key, on_select=on_click or "ignore")


def name_of_chart(key: str) -> str:
    return key.replace("_", "-")


def show_downloads(
    name: str,
    frame: pd.DataFrame | None = None,
    chart: Chart | None = None,
    sheets: Mapping[str, pd.DataFrame] | None = None,
    *,
    files: Sequence[File] = (),
    translate: Translate = str,
) -> None:
    """All digits of `frame` (`sheets` in the workbook), `chart` as a figure, `files`; made when asked for."""
    part = Part(name, (lambda: frame) if frame is not None else None, chart, sheets)
    if not _gather(part):
        show_menu(name, [part], files, translate)


def show_menu(
    key: str, parts: Sequence[Part], files: Sequence[File] = (), translate: Translate = str, *,
    all_formats: bool = False, reports: Sequence[File] = (),
) -> None:  # fmt: skip
    """One menu for a result's tables (`all_formats`: also TSV, Parquet), figures, files, reports to print."""
    formats = [*_FORMATS][: None if all_formats else 1]
    with st.container(width="content"):
        st.fragment(_draw_menu)(key, parts, files, translate, formats, reports)


def _draw_menu(
    key: str,
    parts: Sequence[Part],
    files: Sequence[File],
    translate: Translate,
    formats: Sequence[str],
    reports: Sequence[File],
) -> None:
    menu = st.popover(
        translate("Download"), icon=":material/download:", key=f"download_{key}", on_change="rerun", width="content"
    )
    charts = [part for part in parts if part.chart is not None]
    high = "downloads" if charts else "tables"
    with menu, st.container(width=400, gap="small", key=f"{high}_{key}"), notices.explained_errors(translate):
        comma = st.toggle(translate("Decimal comma"), key=f"comma_of_{key}", persist_state="session")
        if menu.open:
            _show_files(reports, key)
            tables = [part for part in parts if part.table or part.published]
            table = _one_of(tables, translate("Table"), f"table_of_{key}")
            _show_files(_tables(table, comma) if table else [], key)
            figure = _one_of(charts, translate("Figure"), f"figure_of_{key}")
            chart = figure.drawn() if figure else None
            _show_files(_choose_figure(chart, figure.name, comma, translate) if figure and chart else [], key)
            programs = {one.name: one for one in (*_for_programs(table, figure, chart, formats), *files)}
            if programs:
                notices.text(translate("For programs"), "pl-label")
                _show_files([*programs.values()], key)


def _show_files(files: Sequence[File], key: str) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        for file in files:
            st.download_button(
                file.label, file.data, file.name, file.kind, key=f"get_{key}_{file.name}", on_click="ignore"
            )


def _one_of(parts: Sequence[Part], title: str, key: str) -> Part | None:
    if not parts:
        return None
    by_name = {part.name: part for part in parts}
    if len(by_name) > 1:
        titles = {name: part.title or name for name, part in by_name.items()}
        return by_name[
            str(st.selectbox(title, list(by_name), key=key, persist_state="session", format_func=titles.__getitem__))
        ]
    notices.text(title, "pl-label")
    return parts[0]


def _tables(part: Part, comma: bool) -> list[File]:
    """For people: CSV for a spreadsheet of this country if numbers have a comma, Excel, and a table for a paper."""
    if part.table is None:
        return [*part.published]
    make, frame = part.table, part.table()
    csv = lambda: local_csv(make()) if comma else written(make(), ".csv")  # noqa: E731
    files = [File("CSV (;)" if comma else "CSV", csv, f"{part.name}{'.excel' if comma else ''}.csv", "text/csv")]
    if len(frame) <= _MOST_ROWS:
        files.append(
            File("Excel", lambda: workbook(part.sheets or {"table": make()}), f"{part.name}.xlsx", SPREADSHEET)
        )
    if len(frame) <= latex.MOST_ROWS:
        mark = "," if comma else "."
        tex = lambda: latex.of_frame(make(), part.name, mark)  # noqa: E731
        files.append(File("LaTeX", tex, f"{part.name}.tex", "text/x-tex"))
    return [*files, *part.published]


def _for_programs(table: Part | None, figure: Part | None, chart: Chart | None, formats: Sequence[str]) -> list[File]:
    files = []
    if table and table.table:
        make = table.table
        endings = {form: _FORMATS[form] for form in formats}
        files = [File(form, partial(_written, make, end), f"{table.name}{end}") for form, end in endings.items()]
    if figure and chart:
        files.append(File("Vega-Lite", lambda: specification(chart), f"{figure.name}.vl.json", "application/json"))
    return files


def _written(make: Callable[[], pd.DataFrame], ending: str) -> bytes:
    return written(make(), ending)


def _choose_figure(chart: Chart, name: str, decimal_comma: bool, translate: Callable[[str], str]) -> list[File]:
    """What the figure is to look like, and its files; nothing is drawn before one of them is asked for."""
    with st.expander(translate("Size, title, names")):
        look = _choose_look(chart, name, decimal_comma, translate)
    make = partial(_drawn, chart, look)
    return [File(label, partial(make, label), f"{name}{FIGURES[label][0]}", FIGURES[label][1]) for label in FIGURES]


def _choose_look(chart: Chart, name: str, decimal_comma: bool, translate: Callable[[str], str]) -> Look:
    width = st.segmented_control(
        translate("Width"), [*WIDTHS, _FREE], key=f"width_{name}", default=WIDTHS[0], required=True,
        format_func=lambda one: f"{one:g} cm" if one else translate("free"), persist_state="session",
    )  # fmt: skip
    if width == _FREE:
        width = st.number_input(
            translate("Centimetres"), NARROWEST, WIDEST, 12.0, 0.5, key=f"cm_{name}", persist_state="session"
        )
    finding = str(getattr(chart, "description", ""))  # another result has no title yet
    title = st.text_input(translate("Title"), key=f"title_{name}_{finding}", persist_state="session")
    conditions, positions = _rename(chart, name, translate)
    return Look(float(width), title, conditions, positions, decimal_comma)


def _drawn(chart: Chart, look: Look, label: str) -> str | bytes:
    return FIGURES[label][2](figure(chart, look))


def _rename(chart: Chart, key: str, translate: Callable[[str], str]) -> tuple[dict[str, str], dict[str, str]]:
    """The names of conditions and of positions that differ from those in the chart."""
    known = names(chart)
    numbers = [None] * len(known.conditions) + list(known.positions)
    now = [*known.conditions, *known.positions.values()]
    if not now:
        return {}, {}
    edited = st.data_editor(
        pd.DataFrame({"number": numbers, "here": now, "there": now}),
        column_config={"number": None, "here": translate("In the chart"), "there": translate("In the figure")},
        disabled=["here"], hide_index=True, key=f"names_{key}_{'|'.join(now)}", height="auto",
    )  # fmt: skip
    renamed = [("" if there is None else str(there)) for there in edited["there"]]
    n = len(known.conditions)
    return dict(zip(known.conditions, renamed[:n], strict=True)), dict(zip(known.positions, renamed[n:], strict=True))
