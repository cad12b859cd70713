"""Charts of the store: any table that a query returned, and what takes up the disk."""

import altair as alt
import pandas as pd
from pandas.api.types import is_numeric_dtype

from pairlens.charts.named_rows import named_rows
from pairlens.charts.style import GREY, MODELS, finish, tooltip

MOST = 500
"""The most marks that a person can distinguish and a browser draws quickly."""
_HEIGHT = 320


def columns_for(frame: pd.DataFrame, wanted: tuple[str, ...] = ()) -> tuple[str, str] | None:
    """The x and y columns: the requested ones, else the first and the first other numeric one; None if none."""
    if len(wanted) == 2 and set(wanted) <= set(frame):
        return wanted[0], wanted[1]
    numbers = numeric(frame)
    along = next((name for name in frame if name not in numbers), None) or next(iter(frame), None)
    up = next((name for name in numbers if name != along), None)
    return (str(along), up) if along is not None and up else None


def numeric(frame: pd.DataFrame) -> list[str]:
    """The columns that fit the y axis."""
    return [str(name) for name in frame if is_numeric_dtype(frame[name]) and frame[name].dtype != "boolean"]


def answer_chart(frame: pd.DataFrame, along: str, up: str) -> alt.Chart:
    """The first `MOST` rows: points for two columns of numbers, else one bar per row."""
    plain = pd.DataFrame({"along": frame[along], "up": frame[up].astype("float64"), "row": range(1, len(frame) + 1)})
    rows = plain.head(MOST)
    hover = [alt.Tooltip("along", title=along), alt.Tooltip("up", title=up), alt.Tooltip("row", title="row")]
    base = alt.Chart(rows, height=_HEIGHT, description=f"{up} against {along}, {len(rows)} rows")
    if along in numeric(frame):
        across = alt.X("along:Q", title=along, scale=alt.Scale(zero=False))
        return base.mark_point(filled=True, opacity=0.7).encode(
            x=across, y=alt.Y("up:Q", title=up, scale=alt.Scale(zero=False)), tooltip=hover
        )
    names = alt.Axis(labelExpr="datum.label", labelLimit=160, labelOverlap=True, labelAngle=-40)
    across = alt.X("along:N", title=along, sort=None, axis=names)
    return base.mark_bar().encode(x=across, y=alt.Y("up:Q", title=up), tooltip=hover)


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
