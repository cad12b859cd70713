"""Dataframes into Altair charts, in one visual language.

The two members of a pair are always the same two hues with different marks: A a blue circle, B an orange square. What
both share is grey. Differences are blue above zero (A is ahead) and orange below. Positions are the axis and words
their labels, so that a word may occur twice. Every chart takes the finding as `finding`: its alternative text.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import cast

import altair as alt
import pandas as pd
from altair.utils import schemapi

from core.drawable import drawable

A, B, SHARED = "#2f7fd1", "#e07b1a", "#8a8782"
GREY = "#8a8782"
MODELS = ("#7e57c2", "#00897b", "#b5527d", "#6d6a3f", "#4d6fa8")
"""Hues for models compared with each other: none of them is the hue of a pair's member."""
WORD = "word"
"""Name of the selection that a click on a position makes; it holds `position`."""

_PRINTED_WIDTH = 720
_LETTER = 7
_LONGEST_LABEL = 16
_MEMBERS = ["A", "B", "both"]
_HUE = alt.Scale(domain=_MEMBERS, range=[A, B, SHARED])
_MARK = alt.Scale(domain=_MEMBERS, range=["circle", "square", "diamond"])


def surprisal_by_word(words: pd.DataFrame, finding: str, unit: str = "bits") -> alt.LayerChart:
    """Bars per word: one where both sentences share it, paired ones elsewhere.

    `words`: position (int), label (of the position), member (`A`, `B`, `both`), word, surprisal, probability.
    """
    base = alt.Chart(words).encode(
        x=positions(words),
        y=alt.Y("surprisal:Q", title=f"Surprisal ({unit})", axis=alt.Axis(grid=True, tickCount=5, minExtent=36)),
        color=alt.Color("member:N", scale=_HUE, legend=legend()),
        tooltip=[
            alt.Tooltip("word:N", title="Word"),
            alt.Tooltip("member:N", title="Sentence"),
            alt.Tooltip("surprisal:Q", title=f"Surprisal ({unit})", format=".3f"),
            alt.Tooltip("probability:Q", title="Probability", format=".3g"),
        ],
    )
    offset = alt.XOffset("member:N", scale=alt.Scale(domain=["A", "B"], paddingInner=0.12))
    click = alt.selection_point(name=WORD, fields=["position"], on="click", empty=False)
    shared = base.transform_filter("datum.member === 'both'")
    paired = base.transform_filter("datum.member !== 'both'").encode(xOffset=offset)
    shape = alt.Shape("member:N", scale=_MARK, legend=legend())
    layers = [paired.mark_bar(opacity=0.8), paired.mark_point(filled=True, size=70, opacity=1).encode(shape=shape)]
    if (words["member"] == "both").any():
        layers.insert(0, shared.mark_bar(width=alt.RelativeBandSize(0.5), opacity=0.75))
    layers[0] = layers[0].add_params(click)
    return finish(alt.layer(*layers), finding, height=200)


def running_difference(
    steps: pd.DataFrame, finding: str, unit: str = "bits", marks: Mapping[str, int] | None = None
) -> alt.LayerChart:
    """The difference between the sentences so far, word by word, from zero.

    `steps`: model, position (int), label, running (A ahead of B up to here). `marks` names positions.
    """
    several = steps["model"].nunique() > 1
    x = positions(steps)
    reach = [1.15 * min(-0.5, steps["running"].min()), 1.15 * max(0.5, steps["running"].max())]
    y = alt.Y(
        "running:Q",
        title=f"A ahead of B so far ({unit})",
        axis=alt.Axis(grid=False, tickCount=5, minExtent=36),
        scale=alt.Scale(domain=reach, nice=False),
    )
    hue = (
        alt.Color("model:N", title="Model", scale=alt.Scale(range=list(MODELS)), legend=legend("Model"))
        if several
        else _sign("running")
    )
    base = alt.Chart(steps).encode(x=x, y=y)
    detail = {"detail": "model:N"}
    line_hue: dict[str, object] = {"color": hue} if several else {"color": alt.value(GREY)}
    tooltip = [
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("label:N", title="Up to"),
        alt.Tooltip("running:Q", title=f"A ahead by ({unit})", format="+.3f"),
    ]
    layers: list[alt.Chart] = [
        zero("y"),
        base.mark_line(strokeWidth=2).encode(**detail, **line_hue),
        base.mark_point(filled=True, size=60, opacity=1).encode(color=hue, tooltip=tooltip),
    ]
    if marks:
        layers += _labels(marks, steps["position"])
    return finish(alt.layer(*layers), finding, height=150)


def difference_by_word(words: pd.DataFrame, finding: str, unit: str = "bits") -> alt.LayerChart:
    """One diverging bar per position, centred at zero (masked models: every word sees all others).

    `words`: position (int), label, difference (A minus B at this word).
    """
    bars = (
        alt.Chart(words)
        .mark_bar(width=alt.RelativeBandSize(0.45))
        .encode(
            x=positions(words),
            y=alt.Y(
                "difference:Q",
                title=f"A likelier than B by ({unit})",
                axis=alt.Axis(grid=False, tickCount=5, minExtent=36),
            ),
            color=_sign("difference"),
            tooltip=[
                alt.Tooltip("label:N", title="Word"),
                alt.Tooltip("difference:Q", title=f"A likelier by ({unit})", format="+.3f"),
            ],
        )
    )
    return finish(alt.layer(zero("y"), bars), finding, height=150)


def next_pieces(pieces: pd.DataFrame, finding: str) -> alt.LayerChart:
    """What the model expected at one place. `pieces`: rank (int), piece, probability."""
    base = alt.Chart(pieces).encode(
        y=alt.Y(
            "rank:O",
            title=None,
            axis=labelled(pieces, "rank", "piece", labelFont="Source Code, monospace", labelLimit=220),
        ),
        x=alt.X("probability:Q", title="Probability", axis=alt.Axis(format="%", tickCount=4, grid=False)),
        tooltip=[
            alt.Tooltip("piece:N", title="Piece"),
            alt.Tooltip("probability:Q", title="Probability", format=".4f"),
        ],
    )
    bars = base.mark_bar(color=GREY, height=alt.RelativeBandSize(0.6))
    numbers = base.mark_text(align="left", dx=4, color=GREY).encode(text=alt.Text("probability:Q", format=".1%"))
    return finish(alt.layer(bars, numbers), finding, height=28 * len(pieces))


def positions(frame: pd.DataFrame) -> alt.X:
    """Positions side by side under their labels. A few words do not make broad bars; labels that would touch slant.

    `frame`: position, label.
    """
    places = frame.drop_duplicates("position")
    filled = min(0.82, 0.09 * len(places))
    crowded = f"width / {len(places)} < {_LETTER * min(places['label'].str.len().max(), _LONGEST_LABEL) + 6}"
    slant = {
        "labelAngle": alt.ExprRef(f"{crowded} ? -50 : 0"),
        "labelAlign": alt.ExprRef(f"{crowded} ? 'right' : 'center'"),
        "labelBaseline": alt.ExprRef(f"{crowded} ? 'middle' : 'top'"),
    }
    axis = labelled(frame, "position", "label", labelLimit=_LETTER * _LONGEST_LABEL, **slant)
    scale = alt.Scale(type="band", paddingInner=1 - filled, paddingOuter=(1 - filled) / 2)
    return alt.X("position:O", title=None, axis=axis, scale=scale)


def specification(chart: alt.TopLevelMixin) -> str:
    """The chart as Vega-Lite, in a width for print where the page had decided."""
    spec = chart.to_dict()
    if not spec.keys() & {"facet", "hconcat", "vconcat"}:
        spec.setdefault("width", _PRINTED_WIDTH)
    return json.dumps(spec, indent=1, ensure_ascii=False)


_INHERITED = {
    "background": None,
    "axis": {"labelColor": "currentColor", "titleColor": "currentColor", "gridOpacity": 0.25},
    "legend": {"labelColor": "currentColor", "titleColor": "currentColor"},
}
_COMMA = {"decimal": ",", "thousands": "\u202f", "grouping": [3], "currency": ["", ""]}


def svg(chart: alt.TopLevelMixin, *, inherited: bool = False, decimal_comma: bool = False) -> str:
    """The chart as a standalone drawing, made on this machine.

    `inherited`: without a background, words in the colour of the text around it, for a page with a dark theme.
    """
    import vl_convert

    config, locale = _INHERITED if inherited else None, _COMMA if decimal_comma else None
    drawn = drawable(json.loads(specification(chart)))
    return str(vl_convert.vegalite_to_svg(drawn, config=config, format_locale=locale))


def labelled(frame: pd.DataFrame, key: str, label: str, **options: object) -> alt.Axis:
    """An axis over `key` that shows `label`. The labels are JSON inside the expression, so they stay text."""
    labels = frame.drop_duplicates(key).set_index(key)[label].astype(str).to_dict()
    names = json.dumps({str(position): text for position, text in labels.items()})
    look = {"labelFontSize": 13, "labelPadding": 6, "ticks": False, "domain": False, "labelOverlap": False}
    return alt.Axis(labelExpr=f"{names}[datum.value]", **(look | options))


def _labels(marks: Mapping[str, int], positions: pd.Series) -> list[alt.Chart]:
    """Words above the named positions, with a thin rule down to the axis; near its ends they lean inwards."""
    places, layers = list(positions.unique()), []
    for position in sorted(set(marks.values())):
        text = " · ".join(name for name, marked in marks.items() if marked == position)
        share = (places.index(position) + 0.5) / len(places)
        align = "left" if share < 0.2 else "right" if share > 0.8 else "center"
        row = pd.DataFrame([{"position": position, "mark": text}])
        base = alt.Chart(row).encode(x=alt.X("position:O", title=None))
        label = base.mark_text(align=align, baseline="bottom", dy=-4, fontSize=12, color=GREY)
        layers += [base.mark_rule(strokeDash=[2, 3], color=GREY), label.encode(text="mark:N", y=alt.value(0))]
    return layers


def _sign(field: str) -> alt.Color:
    """Blue where A is ahead, orange where B is, grey where the last digits would decide."""
    ahead = [{"test": f"datum.{field} > 1e-4", "value": A}, {"test": f"datum.{field} < -1e-4", "value": B}]
    return alt.Color(condition=ahead, value=GREY)


def zero(axis: str) -> alt.Chart:
    """A rule where the axis is 0."""
    rule = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeWidth=1)
    return rule.encode(**{axis: alt.X("zero:Q") if axis == "x" else alt.Y("zero:Q")})


def legend(title: str | None = None) -> alt.Legend:
    """Above the chart, where it costs no width."""
    return alt.Legend(title=title, orient="top", labelFontSize=13)


_LOOK = alt.Config(
    view=alt.ViewConfig(stroke=None),
    axis=alt.AxisConfig(labelFontSize=12, titleFontSize=13, titleFontWeight="normal"),
)

_WIDTH_ONLY = alt.AutoSizeParams(type="fit-x", contains="padding")
"""Slanted labels and legends make a chart higher; they never make its plot smaller."""


def finish(chart: alt.TopLevelMixin, finding: str, height: object = None) -> alt.TopLevelMixin:
    """The look all charts share; `finding` becomes the alternative text, `height` is the plot's without its axis."""
    sized = {} if height is None else {"height": height}
    return chart.properties(description=finding, config=_LOOK, autosize=_WIDTH_ONLY, **sized)


def unchecked() -> AbstractContextManager[None]:
    """Inside it charts are written without Altair's validation, which costs a page more than all the rest."""
    return cast(AbstractContextManager[None], schemapi.debug_mode(False))
