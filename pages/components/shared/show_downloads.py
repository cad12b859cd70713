"""One Download menu per result: its tables, its figures for print, and files for programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core.charts.drawing import specification
from core.files.exports import FORMATS, SPREADSHEET, latex, local_csv, workbook, written
from pages.components.shared import notices
from pages.components.shared.choose_figure import choose_figure
from pages.components.shared.file import File
from pages.components.shared.gathered import Part, gathered

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

Said = Callable[[str], str]
_FORMATS = ("JSON", "TSV", "Parquet")
_MOST_ROWS = 100_000
"""A spreadsheet of more would take minutes to make, and to open."""


def show_downloads(
    name: str,
    frame: pd.DataFrame | None = None,
    chart: alt.TopLevelMixin | None = None,
    sheets: Mapping[str, pd.DataFrame] | None = None,
    *,
    files: Sequence[File] = (),
    said: Said = str,
) -> None:
    """All digits of `frame` (`sheets` in the Excel workbook), `chart` as a figure, and `files` for programs.

    `name` becomes the files' name. Nothing is made before it is asked for.
    """
    part = Part(name, (lambda: frame) if frame is not None else None, chart, sheets)
    if not gathered(part):
        show_menu(name, [part], files, said)


def show_menu(
    key: str,
    parts: Sequence[Part],
    files: Sequence[File] = (),
    said: Said = str,
    *,
    all_formats: bool = False,
    reports: Sequence[File] = (),
) -> None:
    """One menu for all tables and figures of a result; what is in it is drawn when it is opened.

    `all_formats`: tables as TSV and Parquet too. `reports` hold everything, to print.
    """
    formats = _FORMATS if all_formats else _FORMATS[:1]
    with st.container(width="content"):
        st.fragment(_draw)(key, parts, files, said, formats, reports)


def _draw(
    key: str,
    parts: Sequence[Part],
    files: Sequence[File],
    said: Said,
    formats: Sequence[str],
    reports: Sequence[File],
) -> None:
    menu = st.popover(
        said("Download"), icon=":material/download:", key=f"download_{key}", on_change="rerun", width="content"
    )
    charts = [one for one in parts if one.chart is not None]
    high = "downloads" if charts else "tables"
    with menu, st.container(width=400, gap="small", key=f"{high}_{key}"), notices.explained_errors(said):
        comma = st.toggle(said("Decimal comma"), key=f"comma_of_{key}", persist_state="session")
        if menu.open:
            tables = [one for one in parts if one.table or one.published]
            table = _one_of(tables, said("Table"), f"table_of_{key}")
            _show_files(_tables(table, comma) if table else [], key)
            figure = _one_of(charts, said("Figure"), f"figure_of_{key}")
            _show_files(choose_figure(figure.chart, figure.name, comma, said) if figure else [], key)
            if reports:
                notices.write("$title", "pl-label", title=said("To print"))
                _show_files(reports, key)
            programs = {one.name: one for one in (*_for_programs(table, figure, formats), *files)}
            if programs:
                notices.write("$title", "pl-label", title=said("For programs"))
                _show_files([*programs.values()], key)


def _show_files(files: Sequence[File], key: str) -> None:
    """Buttons in a row, each of which makes its file when it is pressed."""
    with st.container(horizontal=True, gap="xsmall"):
        for one in files:
            st.download_button(
                one.label, one.data, one.name, one.kind, key=f"get_{key}_{one.name}", on_click="ignore"
            )


def _one_of(parts: Sequence[Part], title: str, key: str) -> Part | None:
    """The part that is taken: the only one, or the one that is chosen under this title."""
    if not parts:
        return None
    by_name = {one.name: one for one in parts}
    if len(by_name) > 1:
        return by_name[str(st.selectbox(title, list(by_name), key=key, persist_state="session"))]
    notices.write("$title", "pl-label", title=title)
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


def _for_programs(table: Part | None, figure: Part | None, formats: Sequence[str]) -> list[File]:
    """The table in these formats and the chart as Vega-Lite."""
    files = []
    if table and table.table:
        files = [
            File(one, partial(_in_format, table.table, one), f"{table.name}{FORMATS[one][0]}") for one in formats
        ]
    if figure and (chart := figure.chart) is not None:
        files.append(File("Vega-Lite", lambda: specification(chart), f"{figure.name}.vl.json", "application/json"))
    return files


def _in_format(make: Callable[[], pd.DataFrame], name: str) -> bytes:
    return FORMATS[name][1](make())
