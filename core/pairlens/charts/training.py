"""Charts of a training run over the tokens read: pairs right, one pair's margin, and the loss."""

from typing import Any

import altair as alt
import pandas as pd

from pairlens.charts.hues import dashes, hue_and_mark, line_legend, without_legend
from pairlens.charts.style import GREY, A, B, apart, finish, interval, legend, tooltip, zero

_HEIGHT = 300
_READ = ("Tokens read", ",d")
_COUNTS: dict[str, Any] = {"format": "~s", "labelExpr": "replace(datum.label, 'G', 'B')"}
"""Labels such as 10M and 1B: in a count of words billions are not giga."""
_LOSSES = {"training text": GREY, "other text": A}


def right_over_training(points: pd.DataFrame, finding: str, most_tokens: int) -> alt.LayerChart:
    """One line per group: the share of its pairs that the model gets right, and chance, one half.

    `points`: tokens (above 0), group, value, low, high, n. The axis ends at `most_tokens`, however many points there
    are.
    """
    groups = list(dict.fromkeys(points["group"]))
    hue, shape = hue_and_mark("group", groups, None)
    base = alt.Chart(points).encode(x=_tokens(points, most_tokens), color=without_legend(hue))
    y = alt.Y("value:Q", title="Pairs right", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5))
    about = [
        *tooltip(group="Pairs", tokens=_READ, value=("Right", ".0%"), **interval(".0%")),
        alt.Tooltip("n:Q", title="Pairs"),
    ]
    chance = alt.Chart(pd.DataFrame({"chance": [0.5]})).mark_rule(color=GREY, strokeDash=[4, 4])
    layers = [
        chance.encode(y=alt.Y("chance:Q", title="Pairs right")),
        base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dashes("group", groups)),
        base.mark_point(filled=True, size=60, opacity=1).encode(y=y, shape=without_legend(shape), tooltip=about),
        *line_legend(hue, "group", groups, None),
    ]
    return finish(apart(layers), finding, height=_HEIGHT)


def margin_over_training(points: pd.DataFrame, finding: str, most_tokens: int) -> alt.LayerChart:
    """The lead of the better sentence of one pair. `points`: tokens, margin (bits)."""
    sign = alt.Color(condition=[{"test": "datum.margin > 0", "value": A}, {"test": "datum.margin < 0", "value": B}],
                     value=GREY)  # fmt: skip
    y = alt.Y("margin:Q", title="Better sentence ahead by (bits)", axis=alt.Axis(tickCount=5))
    base = alt.Chart(points).encode(x=_tokens(points, most_tokens), y=y)
    about = tooltip(tokens=_READ, margin=("Ahead by (bits)", "+.2f"))
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(color=sign, tooltip=about)
    return finish(alt.layer(zero("y"), base.mark_line(color=GREY), dots), finding, height=200)


def loss_over_training(points: pd.DataFrame, finding: str) -> alt.LayerChart:
    """Loss on the training text and on other text. `points`: tokens, text (a key of `_LOSSES`), loss (nats)."""
    scale = alt.Scale(domain=list(_LOSSES), range=list(_LOSSES.values()))
    base = alt.Chart(points).encode(
        x=alt.X("tokens:Q", title="Tokens read", axis=alt.Axis(tickCount=5, **_COUNTS)),
        y=alt.Y("loss:Q", title="Loss per token (nats)", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=5)),
        color=alt.Color("text:N", scale=scale, legend=legend()),
        tooltip=tooltip(text="Measured on", tokens=_READ, loss=("Loss (nats)", ".3f")),
    )
    dots = base.transform_filter("datum.text === 'other text'").mark_point(filled=True, size=35, opacity=1)
    return finish(alt.layer(base.mark_line(strokeWidth=2), dots), finding, height=200)


def _tokens(points: pd.DataFrame, most: int) -> alt.X:
    scale = alt.Scale(type="log", domain=[max(1, int(points["tokens"].min())), most], nice=False)
    axis = alt.Axis(tickCount=6, **_COUNTS)
    return alt.X("tokens:Q", title="Tokens read (logarithmic)", scale=scale, axis=axis)
