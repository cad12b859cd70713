"""Charts of the store: any table that a query returned, and what takes up the disk."""

from typing import Any

import altair as alt
import pandas as pd
from pandas.api.types import is_numeric_dtype

from pairlens.charts.named_rows import named_rows
from pairlens.charts.style import GREY, MODELS, finish, legend, tooltip

MOST, MOST_NAMES = 500, 60
"""The most marks, and rows with a name, that a person can distinguish and a browser draws quickly."""
DOTS, BARS, LINES = "dots", "bars", "lines"
_HEIGHT, _NAME, _MEMBER = 320, 26, 14
"""Pixels: of a plane, of a row with a name, and of a member of a series in it."""


def columns_for(frame: pd.DataFrame, wanted: tuple[str, ...] = ()) -> tuple[str, str] | None:
    """What is drawn along and its number: the requested columns, else the first and the first other numeric one."""
    if len(wanted) == 2 and set(wanted) <= set(frame):
        return wanted[0], wanted[1]
    numbers = numeric(frame)
    along = next((name for name in frame if name not in numbers), None) or next(iter(frame), None)
    up = next((name for name in numbers if name != along), None)
    return (str(along), up) if along is not None and up else None


def numeric(frame: pd.DataFrame) -> list[str]:
    return [str(name) for name in frame if is_numeric_dtype(frame[name]) and frame[name].dtype != "boolean"]


def series_for(frame: pd.DataFrame, along: str) -> tuple[list[str], str]:
    """The columns whose few values can have hues, and the one that best tells rows of one name apart, if any must."""
    others = [str(name) for name in frame if name != along and name not in numeric(frame)]
    few = [name for name in others if 1 < frame[name].map(str).nunique() <= len(MODELS)]
    if not _repeats(frame, along):
        return few, ""
    return few, max(few, key=lambda name: len(frame[[along, name]].map(str).drop_duplicates()), default="")


def kinds_for(frame: pd.DataFrame, along: str, series: str = "") -> list[str]:
    """How this can be drawn, the usual way first. Bars only where each has a place of its own."""
    if along in numeric(frame):
        return [DOTS, LINES]
    return [DOTS] if _repeats(frame, along, *filter(None, (series,))) else [DOTS, BARS]


def _repeats(frame: pd.DataFrame, *names: str) -> bool:
    return bool(frame[[*names]].map(str).duplicated().any())


def drawn(frame: pd.DataFrame, along: str) -> pd.DataFrame:
    """The first rows, as many as a chart shows."""
    return frame.head(MOST if along in numeric(frame) else MOST_NAMES)


def answer_chart(frame: pd.DataFrame, along: str, up: str, series: str = "", kind: str = DOTS) -> alt.LayerChart:
    """The rows that are `drawn`: a plane for two columns of numbers, else a row per name with its numbers.

    `series` has a hue for each of its values. Numbers that lie between columns `low` and `high` have them as their
    interval.
    """
    shown, named = drawn(frame, along), along not in numeric(frame)
    rows = pd.DataFrame({"up": shown[up].astype("float64"), "row": range(1, len(shown) + 1)})
    rows["group"] = shown[along].map(str) if named else shown[along].astype("float64")
    rows["series"] = shown[series].map(str) if series else ""
    hover = [alt.Tooltip("group", title=along), alt.Tooltip("up", title=up), alt.Tooltip("row", title="row")]
    hue: Any = alt.ColorValue(MODELS[0])
    if series:
        values = list(rows["series"].unique())
        scale = alt.Scale(domain=values, range=list(MODELS[: len(values)]))
        hue = alt.Color("series:N", scale=scale, legend=legend(series))
        hover.insert(1, alt.Tooltip("series", title=series))
    bounded = {"low", "high"} <= {*numeric(shown)} - {up, along} and _bounded(shown, up)
    if bounded:
        rows = rows.assign(low=shown["low"].astype("float64"), high=shown["high"].astype("float64"))
        hover += [alt.Tooltip(name, title=name) for name in ("low", "high")]
    base = alt.Chart(rows).encode(color=hue, tooltip=hover)
    number = {"title": up, "scale": alt.Scale(zero=kind == BARS), "axis": alt.Axis(tickCount=6)}
    if named:
        base = base.encode(y=named_rows(rows, sections=False, verbatim=True))
        base = base.encode(yOffset=alt.YOffset("series:N", sort=None)) if series else base
        ends = {"x": alt.X("low:Q", title=up), "x2": alt.X2("high:Q")}
        base, height = base.encode(x=alt.X("up:Q", stack=None, **number)), _height(rows)
    else:
        base = base.encode(x=alt.X("group:Q", title=along, scale=alt.Scale(zero=False)))
        ends = {"y": alt.Y("low:Q", title=up), "y2": alt.Y2("high:Q")}
        base, height = base.encode(y=alt.Y("up:Q", **number)), _HEIGHT
    marks = [
        base.mark_bar(height={"band": 0.7}) if kind == BARS else base.mark_point(filled=True, size=70, opacity=1)
    ]
    marks += [base.mark_line()] if kind == LINES else []
    marks += [base.mark_rule(strokeWidth=2, opacity=0.55).encode(**ends)] if bounded else []
    return finish(alt.layer(*marks), f"{up} by {along}, {len(rows)} rows", height=height)


def _bounded(frame: pd.DataFrame, up: str) -> bool:
    """Whether the interval in the answer is that of this number: it lies in it wherever there is one."""
    known = frame[["low", up, "high"]].dropna()
    return len(known) > 0 and bool((known["low"].le(known[up]) & known[up].le(known["high"])).all())


def _height(rows: pd.DataFrame) -> int:
    return int(rows["group"].nunique() * max(_NAME, _MEMBER * rows["series"].nunique()))


_ROW = 30


def room(rows: pd.DataFrame, finding: str) -> alt.LayerChart:
    """One bar per row. `rows`: group (a model, or another kind of data), task (empty unless scores), bytes."""
    drawn = rows.assign(megabytes=rows["bytes"] / 1e6, section="")
    tasks = [task for task in drawn["task"].unique() if task]
    hues = [MODELS[number % len(MODELS)] for number, _ in enumerate(tasks)]
    bars = (
        alt.Chart(drawn)
        .mark_bar(height={"band": 0.7})
        .encode(
            y=named_rows(drawn, sections=False),
            x=alt.X("megabytes:Q", title="MB", axis=alt.Axis(tickCount=6), stack=True),
            color=alt.Color("task:N", scale=alt.Scale(domain=[*tasks, ""], range=[*hues, GREY]), legend=None),
            tooltip=tooltip(group="What", task="Benchmark", megabytes=("MB", ",.1f")),
        )
    )
    return finish(alt.layer(bars), finding, height=alt.Step(_ROW))
