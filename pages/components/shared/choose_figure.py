"""A chart as a figure for a paper: its width, title and names, and the files of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import altair as alt
import pandas as pd
import streamlit as st

from core.charts.drawing import unchecked
from core.charts.figure import FIGURES, NARROWEST, WIDEST, WIDTHS, Look, figure, names
from pages.components.shared.file import File

_FREE = 0.0


def choose_figure(chart: alt.TopLevelMixin, name: str, decimal_comma: bool, said: Callable[[str], str]) -> list[File]:
    """What the figure is to look like, and its files; nothing is drawn before one of them is asked for."""
    width = st.segmented_control(
        said("Width"), [*WIDTHS, _FREE], key=f"width_{name}", default=WIDTHS[0], required=True,
        format_func=lambda one: f"{one:g} cm" if one else said("free"), persist_state="session",
    )  # fmt: skip
    if width == _FREE:
        width = st.number_input(
            said("Centimetres"), NARROWEST, WIDEST, 12.0, 0.5, key=f"cm_{name}", persist_state="session"
        )
    finding = str(getattr(chart, "description", ""))  # another result has no title yet
    title = st.text_input(said("Title"), key=f"title_{name}_{finding}", persist_state="session")
    conditions, positions = _rename(chart, name, said)
    look = Look(float(width), title, conditions, positions, decimal_comma)
    make = partial(_made, chart, look)
    return [File(label, partial(make, label), f"{name}{FIGURES[label][0]}", FIGURES[label][1]) for label in FIGURES]


def _made(chart: alt.TopLevelMixin, look: Look, label: str) -> str | bytes:
    return FIGURES[label][2](figure(chart, look))


def _rename(chart: alt.TopLevelMixin, key: str, said: Callable[[str], str]) -> tuple[dict[str, str], dict[str, str]]:
    """The names of conditions and of positions that differ from those in the chart."""
    with unchecked():
        known = names(chart)
    numbers = [None] * len(known.conditions) + list(known.positions)
    now = [*known.conditions, *known.positions.values()]
    if not now:
        return {}, {}
    given = st.expander(said("Names")).data_editor(
        pd.DataFrame({"number": numbers, "here": now, "there": now}),
        column_config={"number": None, "here": said("In the chart"), "there": said("In the figure")},
        disabled=["here"], hide_index=True, key=f"names_{key}_{'|'.join(now)}", height="auto",
    )  # fmt: skip
    renamed = [("" if there is None else str(there)) for there in given["there"]]
    n = len(known.conditions)
    return dict(zip(known.conditions, renamed[:n], strict=True)), dict(zip(known.positions, renamed[n:], strict=True))
