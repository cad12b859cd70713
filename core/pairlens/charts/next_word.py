"""Charts of next-word predictions: the likeliest words or pieces, and the uncertainty along a prefix."""

from typing import Any

import altair as alt
import pandas as pd

from pairlens.charts.style import GREY, finish, labelled, positions, selecting, tooltip

GROWN = "grown"
"""Name of the selection made by a click on a bar; it holds `adds`."""
PLACE = "place"
"""Name of the selection made by a click on a place; it holds `position`."""
PIECE, WORD = "Token", "Word"
_UNCERTAINTY = "#7e57c2"
"""The hue of surprisal on all pages."""


def likeliest(
    frame: pd.DataFrame, finding: str, what: str, *, grows: bool = False, reach: float | None = None
) -> alt.LayerChart:
    """Horizontal bars, likeliest first. `frame`: rank, label, probability, and perhaps adds and remark.

    `what` a label is: `PIECE` or `WORD`. With `grows`, a click selects the text that a bar adds. The axis ends at
    `reach`.
    """
    font = {"labelFont": "Source Code, monospace"} if what == PIECE else {}
    end = reach or 1.12 * max(frame["probability"].max(), 0.01)
    about: dict[str, Any] = {"label": what, "probability": ("Probability", ".4f"), "remark": " "}
    axis, scale = alt.Axis(format="%", tickCount=4, grid=False), alt.Scale(domain=[0, end], nice=False)
    base = alt.Chart(frame).encode(
        y=alt.Y("rank:O", title=None, axis=labelled(frame, "rank", "label", labelLimit=180, **font)),
        x=alt.X("probability:Q", title="Probability", axis=axis, scale=scale),
        tooltip=tooltip(**{name: title for name, title in about.items() if name in frame}),
    )
    cursor = "pointer" if grows else "default"
    bars = base.mark_bar(color=GREY, height=alt.RelativeBandSize(0.62), cursor=cursor)
    if grows:
        bars = selecting(bars, alt.selection_point(name=GROWN, fields=["adds"], on="click", empty=False))
    numbers = base.mark_text(align="left", dx=4, color=GREY).encode(text=alt.Text("probability:Q", format=".1%"))
    return finish(alt.layer(bars, numbers), finding, height=27 * len(frame))


def uncertainty(places: pd.DataFrame, finding: str, chosen: int) -> alt.LayerChart:
    """Entropy along a prefix, with the `chosen` position marked. `places`: position, label, text, entropy."""
    axis = alt.Axis(grid=True, tickCount=3, minExtent=36)
    base = alt.Chart(places).encode(
        x=positions(places),
        y=alt.Y("entropy:Q", title="Entropy (bits)", axis=axis, scale=alt.Scale(zero=True)),
        tooltip=tooltip(text="After", entropy=("Entropy (bits)", ".3f")),
    )
    click = alt.selection_point(name=PLACE, fields=["position"], on="click", empty=False, nearest=True)
    here = f"datum.position === {chosen}"
    points = base.mark_point(filled=True, opacity=1, cursor="pointer").encode(
        size=alt.SizeValue(**alt.condition(here, alt.value(170), alt.value(60))),
        color=alt.ColorValue(**alt.condition(here, alt.value(_UNCERTAINTY), alt.value(GREY))),
    )
    line = base.mark_line(color=GREY, strokeWidth=2)
    return finish(alt.layer(line, selecting(points, click)), finding, height=90)
