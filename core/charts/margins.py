"""Histogram of the candidates' margins."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from core.charts.style import GREY, A, B, finish, legend, tooltip, zero

SIDES = ("right", "wrong")


def margin_histogram(
    items: pd.DataFrame, finding: str, unit: str = "bits", sides: tuple[str, str] = SIDES
) -> alt.LayerChart:
    """How many items have which margin. `items`: margin (the first side minus the second)."""
    bins = _margin_bins(items["margin"], sides)
    ahead = f"Margin ({unit}): above 0 the {sides[0]} one is ahead"
    bars = (
        alt.Chart(bins)
        .mark_bar()
        .encode(
            x=alt.X("low:Q", bin="binned", title=ahead),
            x2="high:Q",
            y=alt.Y("n:Q", title="Items", axis=alt.Axis(tickCount=4, tickMinStep=1, format=",d")),
            color=alt.Color("side:N", legend=legend(), scale=alt.Scale(domain=[*sides, "tie"], range=[A, B, GREY])),
            tooltip=[
                alt.Tooltip("low:Q", title=f"Margin from ({unit})"),
                alt.Tooltip("high:Q", title="to"),
                *tooltip(n=("Items", ","), side="These are"),
            ],
        )
    )
    return finish(alt.layer(bars, zero("x")), finding, height=200)


def _margin_bins(margins: pd.Series, sides: tuple[str, str]) -> pd.DataFrame:
    """Columns low, high, side (one of `sides`, or `tie`), n: about forty bins of a round width, one from 0."""
    width = (margins.max() - margins.min()) / 40 or 1.0
    power = 10.0 ** np.floor(np.log10(width))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= width)
    low = np.floor(margins / step) * step
    low = low.where(margins >= 0, np.minimum(low, -step))
    side = np.select([margins > 0, margins < 0], sides, "tie")
    counts = pd.DataFrame({"low": low.round(6), "side": side}).value_counts(sort=False).rename("n").reset_index()
    return counts.assign(high=(counts["low"] + step).round(6))
