"""Charts of a 2 x 2 design: its four means, and the interaction region by region.

Same visual language as `core.charts.experiment`: a hue and a mark per level of the second factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import altair as alt
import pandas as pd

from core.charts.experiment import QUANTITIES
from core.charts.hues import hue_and_mark
from core.charts.style import GREY, finish, zero


def interaction_plot(
    cells: pd.DataFrame,
    items: pd.DataFrame,
    finding: str,
    factors: tuple[str, str],
    domain: Sequence[float],
    measure: str = "surp",
) -> alt.LayerChart:
    """The means of a 2 x 2 design: parallel lines, no interaction. Every item's own lines are drawn faintly behind.

    `cells`: first, second (levels of the two factors), value (in the
    measure), low, high; `items`: item, first, second, value.
    """
    quantity = replace(QUANTITIES[measure], logarithmic=False)
    hue, shape = hue_and_mark("second", cells["second"], factors[1])
    axis = alt.Axis(labelAngle=0, labelFontSize=13, ticks=False)
    x = alt.X("first:N", title=factors[0], sort=None, axis=axis, scale=alt.Scale(padding=0.6))
    base = alt.Chart(cells).encode(
        x=x,
        color=hue,
        tooltip=[
            alt.Tooltip("first:N", title=factors[0]),
            alt.Tooltip("second:N", title=factors[1]),
            alt.Tooltip("value:Q", title=quantity.title, format=".3f"),
            alt.Tooltip("low:Q", title="95 % from", format=".3f"),
            alt.Tooltip("high:Q", title="to", format=".3f"),
        ],
    )
    faint = alt.Chart(items).mark_line(strokeWidth=1, opacity=0.18)
    y = quantity.y("value", domain)
    layers = [
        faint.encode(x=x, y=y, color=hue, detail=["item:N", "second:N"]),
        base.mark_rule(strokeWidth=2).encode(y=quantity.y("low", domain), y2="high:Q"),
        base.mark_line(strokeWidth=3).encode(y=y),
        base.mark_point(filled=True, size=90, opacity=1).encode(y=y, shape=shape),
    ]
    return finish(alt.layer(*layers), finding, height=260)


def interaction_by_region(rows: pd.DataFrame, finding: str, measure: str = "surp") -> alt.LayerChart:
    """The interaction in the region of interest and in those that follow, with item-level intervals, about zero.

    `rows`: region, mean (in the measure), low, high, n_items. A filled mark where the interval leaves zero out.
    """
    title = f"Interaction: {QUANTITIES[measure].title}"
    clear = rows.assign(clear=(rows["low"] > 0) | (rows["high"] < 0))
    names, axis = list(rows["region"]), alt.Axis(labelFontSize=13, ticks=False, domain=False)
    base = alt.Chart(clear).encode(
        y=alt.Y("region:N", title=None, scale=alt.Scale(domain=names), axis=axis),
        tooltip=[
            alt.Tooltip("region:N", title="Region"),
            alt.Tooltip("mean:Q", title=title, format="+.3f"),
            alt.Tooltip("low:Q", title="95 % from", format="+.3f"),
            alt.Tooltip("high:Q", title="to", format="+.3f"),
            alt.Tooltip("n_items:Q", title="Items", format=","),
        ],
        color=alt.value(GREY),
    )
    x = alt.X("mean:Q", title=title, axis=alt.Axis(tickCount=5))
    layers = [
        zero("x"),
        base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q"),
        base.transform_filter("datum.clear").mark_point(filled=True, size=90, opacity=1).encode(x=x),
        base.transform_filter("!datum.clear").mark_point(filled=False, size=80, opacity=1).encode(x=x),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(30))
