"""Charts of a 2 x 2 design: its four means, and the interaction region by region.

Each level of the second factor has a hue and a mark of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import altair as alt
import pandas as pd

from core.charts.experiment import QUANTITIES, Quantity
from core.charts.hues import hue_and_mark
from core.charts.style import GREY, finish, tooltip, zero
from core.statistics.intervals import LEVEL


def interaction_plot(
    cells: pd.DataFrame,
    items: pd.DataFrame,
    finding: str,
    factors: Sequence[str],
    domain: Sequence[float],
    measured: Quantity = QUANTITIES["surp"],
) -> alt.LayerChart:
    """The means of a 2 x 2 design: parallel lines mean no interaction. Each item's own lines are faint.

    `cells`: first, second (levels of the two factors), value (as `measured`), low, high; `items`: item, first,
    second, value.
    """
    quantity = replace(measured, logarithmic=False)
    hue, shape = hue_and_mark("second", cells["second"], factors[1])
    axis = alt.Axis(labelAngle=0, labelFontSize=13, ticks=False)
    x = alt.X("first:N", title=factors[0], sort=None, axis=axis, scale=alt.Scale(padding=0.6))
    base = alt.Chart(cells).encode(
        x=x,
        color=hue,
        tooltip=tooltip(
            first=factors[0],
            second=factors[1],
            value=(quantity.title, ".3f"),
            low=("95 % from", ".3f"),
            high=("to", ".3f"),
        ),
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


def interaction_by_region(
    rows: pd.DataFrame, finding: str, measured: Quantity = QUANTITIES["surp"]
) -> alt.LayerChart:
    """The interaction in the region of interest and in those that follow, with intervals over items.

    `rows`: region, mean (in the measure), low, high, n_items, p_holm. The mark is filled where the
    difference from zero holds after correction for the number of regions.
    """
    title = f"Interaction: {measured.title}"
    clear = rows.assign(clear=rows["p_holm"] < 1 - LEVEL)
    names, axis = list(rows["region"]), alt.Axis(labelFontSize=13, ticks=False, domain=False)
    base = alt.Chart(clear).encode(
        y=alt.Y("region:N", title=None, scale=alt.Scale(domain=names), axis=axis),
        tooltip=tooltip(
            region="Region",
            mean=(title, "+.3f"),
            low=("95 % from", "+.3f"),
            high=("to", "+.3f"),
            p_holm=("p (Holm)", ".3g"),
            n_items=("Items", ","),
        ),
        color=alt.value(GREY),
    )
    x = alt.X("mean:Q", title=title, axis=alt.Axis(tickCount=5))
    layers = [
        zero("x"),
        base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q"),
        base.transform_filter("datum.clear").mark_point(filled=True, size=90, opacity=1).encode(x=x),
        base.transform_filter("!datum.clear").mark_point(filled=False, size=80, opacity=1).encode(x=x),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(30))
