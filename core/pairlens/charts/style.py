"""What all charts share: colours, axes, tooltips, the look."""

import json
import unicodedata
from collections.abc import Iterable

import altair as alt
import pandas as pd

from pairlens.text.languages import SOURCE, Language

A, B, SHARED = "#2f7fd1", "#e07b1a", "#8a8782"
GREY = SHARED
MODELS = ("#7e57c2", "#00897b", "#b5527d", "#6d6a3f", "#4d6fa8", "#a0663c")
"""Hues for models that are compared; none of them is the hue of a member of a pair."""

_LETTER = 7
_LONGEST_LABEL = 16
_LOOK = alt.Config(
    view=alt.ViewConfig(stroke=None),
    axis=alt.AxisConfig(labelFontSize=12, titleFontSize=13, titleFontWeight="normal"),
)
_WIDTH_ONLY = alt.AutoSizeParams(type="fit-x", contains="padding")
"""Slanted labels and legends make a chart taller, never its plot smaller."""


def positions(frame: pd.DataFrame, filled: float | None = None, **options: object) -> alt.X:
    """Positions side by side above their labels, which slant where they would touch. `frame`: position, label.

    `filled` is the share of the width that is not left empty (few words: narrow bars); `options` are those of the
    axis.
    """
    places = frame.drop_duplicates("position")
    filled = min(0.82, 0.09 * len(places)) if filled is None else filled
    crowded = f"width / {len(places)} < {_LETTER * min(places['label'].str.len().max(), _LONGEST_LABEL) + 6}"
    slant = {
        "labelAngle": alt.ExprRef(f"{crowded} ? -50 : 0"),
        "labelAlign": alt.ExprRef(f"{crowded} ? 'right' : 'center'"),
        "labelBaseline": alt.ExprRef(f"{crowded} ? 'middle' : 'top'"),
    }
    axis = labelled(frame, "position", "label", labelLimit=_LETTER * _LONGEST_LABEL, **slant, **options)
    # So as the words themselves run, by their first letter whose direction is known.
    kinds = (unicodedata.bidirectional(sign) for label in places["label"] for sign in str(label))
    leftwards = next((kind in ("R", "AL") for kind in kinds if kind in ("L", "R", "AL")), False)
    scale = alt.Scale(type="band", paddingInner=1 - filled, paddingOuter=(1 - filled) / 2, reverse=leftwards)
    return alt.X("position:O", title=None, axis=axis, scale=scale)


def labelled(frame: pd.DataFrame, key: str, label: str, **options: object) -> alt.Axis:
    """An axis over `key` that shows `label`. The labels are JSON inside the expression, so they stay text."""
    labels = frame.drop_duplicates(key).set_index(key)[label].astype(str).to_dict()
    names = json.dumps({str(position): text for position, text in labels.items()})
    look = {"labelFontSize": 13, "labelPadding": 6, "ticks": False, "domain": False, "labelOverlap": False}
    return alt.Axis(labelExpr=f"{names}[datum.value]", **(look | options))


def zero(axis: str) -> alt.Chart:
    rule = alt.Chart(pd.DataFrame({"zero": [0]})).mark_rule(color=GREY, strokeWidth=1)
    return rule.encode(**{axis: alt.X("zero:Q") if axis == "x" else alt.Y("zero:Q")})


def tooltip(**columns: str | tuple[str, str]) -> list[alt.Tooltip]:
    """A tooltip: for each column its title or, if it holds numbers, its title and their format."""
    return [
        alt.Tooltip(f"{column}:N", title=about)
        if isinstance(about, str)
        else alt.Tooltip(f"{column}:Q", title=about[0], format=about[1])
        for column, about in columns.items()
    ]


def interval(form: str) -> dict[str, tuple[str, str]]:
    return {"low": ("95 % interval from", form), "high": ("to", form)}


def clickable(fields: alt.Chart, name: str) -> alt.Chart:
    """Fields over a chart, seen once clicked; a click makes the selection `name`, with the column of that name."""
    click = alt.selection_point(name=name, fields=[name], on="click", empty=False)
    opacity = alt.OpacityValue(**alt.condition(click, alt.value(0.14), alt.value(0)))
    return selecting(fields.encode(opacity=opacity), click)


def selecting(marks: alt.Chart, click: alt.Parameter) -> alt.Chart:
    """Marks whose clicks are a selection. Their view has a name: Altair would make one from all rows in print."""
    chart: alt.Chart = marks.add_params(click)
    chart.name = f"view_{click.name}"
    return chart


def apart(layers: Iterable[alt.Chart]) -> alt.LayerChart:
    scales = alt.ScaleResolveMap(shape="independent", color="independent")
    return alt.layer(*layers, resolve=alt.Resolve(scale=scales))


def square(chart: alt.LayerChart) -> alt.LayerChart:
    """As high as it is wide, whatever the width: a diagonal of two like quantities rises by 45 degrees."""
    others = [] if chart.params is alt.Undefined else chart.params
    chart.params = [*others, alt.VariableParameter(name="height", expr="width")]
    return chart


def legend(title: str | None = None, **options: object) -> alt.Legend:
    """Above the chart, where it costs no width."""
    return alt.Legend(title=title, orient="top", labelFontSize=13, **options)


def finish(chart: alt.TopLevelMixin, finding: str, height: object = None) -> alt.TopLevelMixin:
    """Give a chart the common look. `finding` becomes the alternative text, `height` excludes the axis.

    In place: Altair's own methods copy every layer twice, which took a tenth of the time that a page is drawn in.
    """
    look = {"description": finding, "config": _LOOK, "autosize": _WIDTH_ONLY}
    for name, value in (look if height is None else {**look, "height": height}).items():
        chart[name] = value
    return chart


def in_language(chart: alt.TopLevelMixin, language: Language) -> alt.TopLevelMixin:
    """The chart with numbers as this language writes them, also in what appears under the pointer."""
    if language.locale == SOURCE:
        return chart
    decimal, thousands = language.separators
    number = {"decimal": decimal, "thousands": thousands, "grouping": [3], "currency": ["", ""]}
    return chart.configure(locale={"number": {**number, "percent": "\u00a0%"}})
