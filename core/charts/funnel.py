"""Funnel plot of StereoSet's terms: how far chance alone may move the SS of a term from that of the whole set."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.stereoset import coin, reach_around_50
from core.charts.style import GREY, A, B, finish, tooltip

TERM = "term"
"""Name of the selection made by a click on a term; it holds `term`."""
_NAME = {"across": 0.35, "value": 0.06}
"""Roughly the share of the plot's width and height that a name takes; terms without room get only a tooltip."""
_SPREAD, _MOST_STEP = 0.8, 0.3
"""How wide overlapping terms are spread, and the largest gap between two, in examples."""


def terms_in_funnel(terms: pd.DataFrame, band: pd.DataFrame, finding: str) -> alt.LayerChart:
    """SS of each term over its number of examples, and the band where 95 % of terms would fall by chance alone.

    `terms`: term, bias_type, n, value (per cent), outside. `band`: n, low, high (per cent), centre. Both come from
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
                *tooltip(term="Term", bias_type="Bias type", value=("SS", ".1f")),
                alt.Tooltip("n:Q", title="Examples"),
            ],
        )
        .add_params(click)
    )


def _side_by_side(terms: pd.DataFrame) -> pd.DataFrame:
    """Adds `across`: the number of examples, shifted a little where terms would overlap."""
    alike = terms.groupby(["n", "value"])["term"]
    places, sizes = alike.cumcount(), alike.transform("size")
    step = (_SPREAD / sizes).clip(upper=_MOST_STEP)
    return terms.assign(across=terms["n"] + (places - (sizes - 1) / 2) * step)


def _readable(terms: pd.DataFrame) -> pd.DataFrame:
    """The terms outside the band whose names do not overlap, taken from the farthest from 50 on."""
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
    text = alt.Chart(terms).mark_text(align="left", dx=9, fontSize=12, color=GREY)
    return text.encode(x=x, y=y, text="term:N")
