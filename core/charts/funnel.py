"""The terms of StereoSet in a funnel: how far the SS of a term may lie from the whole by chance alone."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.stereoset import coin, reach_around_50
from core.charts.style import GREY, A, B, finish

TERM = "term"
"""Name of the selection that a click on a term makes; it holds `term`."""
_NAME = {"across": 0.35, "value": 0.06}
"""About how much of the width and height of the marks a name takes; others are told by a tooltip."""
_SPREAD, _MOST_STEP = 0.8, 0.3
"""How wide terms that would lie on each other are spread, and how far apart at most, in examples."""


def terms_in_funnel(terms: pd.DataFrame, band: pd.DataFrame, finding: str) -> alt.LayerChart:
    """SS of each term over how many examples it has, in the band where 95 % of terms would lie by chance alone.

    `terms`: term, bias_type, n, value (per cent), outside. `band`: n, low, high (per cent), centre. Both are those of
    `core.studies.stereoset.rows`. A click on a term selects `TERM`.
    """
    drawn = _side_by_side(terms)
    scale = alt.Scale(domain=[float(band["n"].min()), float(band["n"].max())], nice=False, zero=False)
    axis = alt.Axis(tickMinStep=1, format="d", grid=False, tickCount=6)
    x, across = (alt.X(f"{name}:Q", title="Examples of the term", scale=scale, axis=axis) for name in ("n", "across"))
    reach = reach_around_50(pd.concat([terms["value"], band["low"], band["high"]]))
    y, low = (alt.Y(f"{name}:Q", title="SS", scale=reach, axis=alt.Axis(tickCount=5)) for name in ("value", "low"))
    funnel = alt.Chart(band).encode(x=x)
    layers = [
        funnel.mark_area(color=GREY, opacity=0.16).encode(y=low, y2="high:Q"),
        funnel.mark_line(color=GREY, strokeWidth=1.5).encode(y="centre:Q"),
        *coin("y"),
        _marks(alt.Chart(drawn).encode(x=across, y=y)),
        _names(_readable(drawn), across, y),
    ]
    return finish(alt.layer(*layers), finding, height=300)


def _marks(base: alt.Chart) -> alt.Chart:
    """A circle per term; outside the band a square, orange above 50 and blue below."""
    click = alt.selection_point(name=TERM, fields=["term"], on="click", empty=False)
    sides = [{"test": "!datum.outside", "value": GREY}, {"test": "datum.value > 50", "value": B}]
    return (
        base.mark_point(filled=True, opacity=0.9, cursor="pointer")
        .encode(
            color=alt.Color(condition=sides, value=A),
            size=alt.condition(click, alt.value(190), alt.value(70)),
            shape=alt.condition("datum.outside", alt.value("square"), alt.value("circle")),
            tooltip=[
                alt.Tooltip("term:N", title="Term"),
                alt.Tooltip("bias_type:N", title="Bias type"),
                alt.Tooltip("value:Q", title="SS", format=".1f"),
                alt.Tooltip("n:Q", title="Examples"),
            ],
        )
        .add_params(click)
    )


def _side_by_side(terms: pd.DataFrame) -> pd.DataFrame:
    """`across`: the number of examples, moved a little where several terms would lie on each other."""
    alike = terms.groupby(["n", "value"])["term"]
    places, sizes = alike.cumcount(), alike.transform("size")
    step = (_SPREAD / sizes).clip(upper=_MOST_STEP)
    return terms.assign(across=terms["n"] + (places - (sizes - 1) / 2) * step)


def _readable(terms: pd.DataFrame) -> pd.DataFrame:
    """The terms outside the band whose names do not stand on each other, the farthest from 50 first."""
    outside = terms[terms["outside"]]
    outside = outside.loc[(outside["value"] - 50).abs().sort_values(ascending=False, kind="stable").index]
    width, height = (_NAME[way] * (terms[way].max() - terms[way].min()) for way in ("across", "value"))
    kept: list[tuple[float, float]] = []
    named = []
    for at in zip(outside["across"], outside["value"], strict=True):
        named.append(all(abs(at[0] - x) > width or abs(at[1] - y) > height for x, y in kept))
        kept += [at] if named[-1] else []
    return outside[named]


def _names(terms: pd.DataFrame, x: alt.X, y: alt.Y) -> alt.Chart:
    """The names of terms beside their marks."""
    outside = alt.Chart(terms)
    return outside.mark_text(align="left", dx=9, fontSize=12, color=GREY).encode(x=x, y=y, text="term:N")
