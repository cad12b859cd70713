"""The footer's downloads: the numbers as CSV, Excel and JSON, the chart as SVG and as Vega-Lite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.charts.drawing import specification, svg
from core.files.exports import SPREADSHEET, workbook

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import altair as alt
    import pandas as pd

_MOST_ROWS = 100_000
"""A spreadsheet of more would take minutes to make, and to open."""


def show_downloads(
    name: str,
    frame: pd.DataFrame,
    chart: alt.TopLevelMixin | None = None,
    sheets: Mapping[str, pd.DataFrame] | None = None,
) -> None:
    """All digits of `frame`; `chart` is drawn as SVG when asked for, `sheets` are those of the Excel workbook.

    `name` becomes the files' name. Excel is offered because it opens CSV as one column where a comma is the decimal
    mark.
    """
    with st.container(horizontal=True, gap="small", key=f"downloads_{name}"):
        _button("CSV", lambda: frame.to_csv(index=False), f"{name}.csv", "text/csv")
        if len(frame) <= _MOST_ROWS:
            _button("Excel", lambda: workbook(sheets or {"table": frame}), f"{name}.xlsx", SPREADSHEET)
        _button(
            "JSON", lambda: frame.to_json(orient="records", force_ascii=False), f"{name}.json", "application/json"
        )
        if chart is not None:
            _button("SVG", lambda: svg(chart), f"{name}.svg", "image/svg+xml")
            _button("Vega-Lite", lambda: specification(chart), f"{name}.vl.json", "application/json")


def _button(label: str, data: Callable[[], str | bytes], file_name: str, mime: str) -> None:
    st.download_button(
        label, data, file_name, mime, key=f"get_{file_name}", on_click="ignore", icon=":material/download:"
    )
