"""The partial effect of surprisal on reading times: a line with its band per model."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.hues import hue_and_mark, without_legend
from core.charts.style import finish, tooltip

_WIDTH, _HEIGHT = 170, 190


def partial_effect(lines: pd.DataFrame, finding: str, reach: tuple[float, float]) -> alt.LayerChart:
    """One measured time: model, title (of the time), bits, effect, low, high, slope, slope_low, slope_high, n.

    `reach` is the range of the effects on all times, so that panels can be compared.
    """
    return finish(_panel(lines, reach), finding, height=_HEIGHT)


def partial_effects(lines: pd.DataFrame, finding: str) -> alt.HConcatChart:
    """The panels of all times side by side, as one figure."""
    reach = float(lines["low"].min()), float(lines["high"].max())
    panels = [
        _panel(rows, reach).properties(title=str(title), width=_WIDTH, height=_HEIGHT)
        for title, rows in lines.groupby("title", sort=False)
    ]
    return alt.hconcat(*panels).properties(description=finding)


def _panel(lines: pd.DataFrame, reach: tuple[float, float]) -> alt.LayerChart:
    hue = without_legend(hue_and_mark("model", lines["model"], None)[0])
    x = alt.X("bits:Q", title="Surprisal (bits)", axis=alt.Axis(tickCount=4))
    y = alt.Y("effect:Q", title="Effect (ms)", scale=alt.Scale(domain=reach, nice=True), axis=alt.Axis(tickCount=5))
    about = tooltip(
        model="Model", title="Measure", slope=("Milliseconds per bit", ".2f"),
        slope_low=("95 % interval from", ".2f"), slope_high=("to", ".2f"), n=("Words", ","),
    )  # fmt: skip
    base = alt.Chart(lines).encode(x=x, color=hue, tooltip=about)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title="Effect (ms)"), y2="high:Q")
    return alt.layer(band, base.mark_line(strokeWidth=2).encode(y=y))
