"""Curves with a hue and a mark per line: a number over training, a number over the temperature of the softmax."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.hues import dashes, hue_and_mark, line_legend, without_legend
from core.charts.measure import Measure
from core.charts.style import GREY, apart, finish, tooltip

_HEIGHT = 280


def over_training(points: pd.DataFrame, finding: str, measure: Measure, seen: str = "Words seen") -> alt.LayerChart:
    """One line per group over the words seen in training, on a logarithmic axis, with its interval as a band.

    `points`: line, checkpoint, words (above 0), value, low, high, same_as (the earlier checkpoint with the same
    weights, else empty). Points with an earlier twin are hollow.
    """
    hue, shape = hue_and_mark("line", points["line"], "Paradigm")
    x = alt.X(
        "words:Q", title=f"{seen} (logarithmic)", scale=alt.Scale(type="log", nice=False), axis=alt.Axis(format="~s")
    )
    about = tooltip(line="Paradigm", checkpoint="Checkpoint", words=(seen, ",d"), **measure.numbers)
    return _curve(points, x, hue, shape, measure, about, finding, hollow="datum.same_as", title="Paradigm")


def over_temperature(points: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """The number at each temperature; the highest is labelled as chosen on the evaluation data.

    `points`: line, temperature, value, low, high, best.
    """
    hue, shape = hue_and_mark("line", points["line"], "Number")
    x = alt.X("temperature:Q", title="Temperature of the softmax", scale=alt.Scale(zero=False, nice=False))
    about = tooltip(line="Number", temperature=("Temperature", ".3~f"), **measure.numbers)
    chart = _curve(points, x, hue, shape, measure, about, finding, hollow="!datum.best", title="Number")
    best = points[points["best"]].assign(said="highest, chosen on the evaluation data")
    label = alt.Chart(best).mark_text(dy=-14, fontSize=12, color=GREY)
    return chart + label.encode(x=x, y=_y("value", measure, points), text="said:N")


def _curve(
    points: pd.DataFrame,
    x: alt.X,
    hue: alt.Color | dict[str, str],
    shape: alt.Shape | dict[str, str],
    measure: Measure,
    about: list[alt.Tooltip],
    finding: str,
    hollow: str,
    title: str,
) -> alt.LayerChart:
    """Band, line and marks; marks are hollow where the expression `hollow` holds."""
    base = alt.Chart(points).encode(x=x, color=without_legend(hue))
    marks = base.encode(y=_y("value", measure, points), shape=without_legend(shape), tooltip=about)
    layers = [
        base.mark_area(opacity=0.15).encode(y=_y("low", measure, points), y2="high:Q"),
        base.mark_line(strokeWidth=2).encode(
            y=_y("value", measure, points), strokeDash=dashes("line", points["line"])
        ),
        marks.transform_filter(f"!({hollow})").mark_point(filled=True, size=70, opacity=1),
        marks.transform_filter(hollow).mark_point(filled=False, size=55, opacity=1),
        *line_legend(hue, "line", points["line"], title),
    ]
    return finish(apart(layers), finding, height=_HEIGHT)


def _y(column: str, measure: Measure, points: pd.DataFrame) -> alt.Y:
    style = {"format": "%"} if measure.scale == "share" else {}
    reach = [float(points[["value", "low"]].min().min()), float(points[["value", "high"]].max().max())]
    scale = alt.Scale(domain=reach, zero=False, nice=True)
    return alt.Y(f"{column}:Q", title=measure.title, scale=scale, axis=alt.Axis(tickCount=6, **style))
