"""Charts of StereoSet: LMS, SS and ICAT with their meanings, by bias type, by term, under every definition.

All numbers are in per cent. Axes of SS are centred on 50: equal preferences for stereotypes and for anti-stereotypes
are equally far from it. Numbers that mean nothing are grey.
"""

import json
from collections.abc import Iterable, Mapping

import altair as alt
import numpy as np
import pandas as pd

from pairlens.charts.hues import hue_and_mark, without_legend
from pairlens.charts.named_rows import NARROW, folded, named_rows
from pairlens.charts.style import GREY, A, B, apart, finish, interval, selecting, tooltip
from pairlens.statistics.funnel import band

MEASURES: Mapping[str, str] = {
    "LMS": "LMS: meaningful preferred",
    "SS": "SS: stereotype preferred",
    "ICAT": "ICAT: both in one",
}

_MARKS = {
    "LMS": {50: "coin", 100: "ideal"},
    "SS": {0: "always anti-stereotype", 50: "neither", 100: "always stereotype"},
    "ICAT": {0: "always stereotype", 50: "coin", 100: "ideal"},
}
"""The numbers that have a meaning of their own."""
_SHORT = {"always anti-stereotype": "always anti", "always stereotype": "always stereo"}
_MEANINGS = " meanings"
"""The place of these words within a row. It begins with a space, as no model's name does."""
_LANE, _IN_PROFILE = 20, 12
"""Pixels per place within a row, and where a row has sixteen others beside it."""
HALF = 50
_LEAST_REACH = 10.0
_SIDES = "SS: over 50 the stereotype is preferred"


def headline_rows(rows: pd.DataFrame, finding: str) -> alt.LayerChart:
    """Three rows, LMS, SS and ICAT, with a dot and interval per model, and words for the numbers in `_MARKS`.

    `rows`: model, measure, value, low, high (per cent), terms, quiet (the number means nothing: drawn in grey).
    """
    drawn = rows.assign(group=rows["measure"].map(MEASURES))
    y = named_rows(pd.DataFrame({"group": list(MEASURES.values())}), sections=False)
    places = [*drawn["model"].unique(), _MEANINGS]
    offset = alt.YOffset("model:N", scale=alt.Scale(domain=places))
    layers = [*_meanings(y, offset), *_dots(drawn, y, offset, _upwards(""), tooltip(terms=("Terms", ",")))]
    return finish(apart(layers), finding, height=_per_row(_LANE * len(places) + 12))


def by_bias_type(rows: pd.DataFrame, finding: str) -> alt.LayerChart:
    """SS of each bias type, with a dot and interval per model; 50, no preference, is in the middle.

    `rows`: model, bias_type, value, low, high (per cent), n (examples), terms, quiet.
    """
    drawn = rows.rename(columns={"bias_type": "group"})
    about = tooltip(n=("Examples", ","), terms=("Terms", ","))
    return _around_50(drawn, _rows(drawn["group"]), finding, _SIDES, about, _LANE)


def by_stereotype(rows: pd.DataFrame, finding: str) -> alt.LayerChart:
    """The masculine share of each stereotype, with a dot and interval per model or language; 50 is in the middle.

    `rows`: model, group (the stereotype), section (whom it is about), value, low, high (per cent), n (sentences).
    """
    y, about = named_rows(rows.drop_duplicates("group")), tooltip(n=("Sentences", ","))
    return _around_50(rows.assign(quiet=False), y, finding, "Masculine share, per cent", about, _IN_PROFILE)


def _around_50(
    drawn: pd.DataFrame, y: alt.Y, finding: str, title: str, about: list[alt.Tooltip], lane: int
) -> alt.LayerChart:
    models = list(drawn["model"].unique())
    offset = alt.YOffset("model:N", scale=alt.Scale(domain=models))
    x = _centred(pd.concat([drawn["value"], drawn["low"], drawn["high"]]), title)
    layers = [*coin("x"), *_dots(drawn, y, offset, x, about)]
    return finish(apart(layers), finding, height=_per_row(lane * len(models) + 6))


def _per_row(pixels: int) -> alt.Step:
    return alt.Step(pixels, **{"for": "position"})


def by_definition(rows: pd.DataFrame, metric: str, finding: str) -> alt.LayerChart:
    """One number under every definition: a row per way of scoring, a mark per way of averaging.

    `rows`: definition, aggregation, the `metric` (`lms`, `ss` or `icat`, per cent), usual (that of the headline).
    """
    drawn = rows.rename(columns={"definition": "group", metric: "value"}).dropna(subset=["value"])
    y, title = _rows(drawn["group"]), metric.upper()
    hue, shape = hue_and_mark("aggregation", drawn["aggregation"], None)
    x = _centred(drawn["value"], title) if metric == "ss" else _upwards(title)
    lanes = alt.YOffset("aggregation:N", scale=alt.Scale(domain=list(drawn["aggregation"].unique())))
    base = alt.Chart(drawn).encode(y=y, yOffset=lanes, x=x)
    about = tooltip(group="Scores", aggregation="Averaged", value=(title, ".2f"))
    points = base.mark_point(filled=True, size=70, opacity=1).encode(color=hue, shape=shape, tooltip=about)
    ring = base.transform_filter("datum.usual").mark_point(shape="circle", size=230, color=GREY, filled=False)
    lines = coin("x") if metric == "ss" else []
    return finish(apart([*lines, ring, points]), finding, height=_per_row(_LANE * 2))


def _rows(names: Iterable[str]) -> alt.Y:
    """One row per name, in the order given; long names take two lines, because these charts are narrow."""
    lines = {name: folded(name) for name in names}
    shown = f"({json.dumps(lines)})[datum.value]"
    axis = alt.Axis(
        labelExpr=shown, labelBaseline=alt.condition(f"isArray({shown})", alt.value("bottom"), alt.value("middle")),
        labelFontSize=12, labelLimit=240, labelPadding=8, labelOverlap=False, ticks=False, domain=False,
    )  # fmt: skip
    return alt.Y("group:N", scale=alt.Scale(domain=list(lines)), title=None, axis=axis)


def _dots(rows: pd.DataFrame, y: alt.Y, offset: alt.YOffset, x: alt.X, more: list[alt.Tooltip]) -> list[alt.Chart]:
    """Dots of models with their intervals; those that mean nothing are grey."""
    base = alt.Chart(rows).encode(y=y, yOffset=offset)
    hue, shape = hue_and_mark("model", rows["model"], "Model")
    quiet, coloured = (alt.condition("datum.quiet", alt.value(GREY), one) for one in (without_legend(hue), hue))
    about = [*tooltip(model="Model", group="Number", value=("Value", ".2f"), **interval(".2f")), *more]
    low: alt.X = x.copy()
    low["shorthand"] = "low:Q"
    return [
        base.transform_filter("isValid(datum.low)")
        .mark_rule(strokeWidth=3, opacity=0.5)
        .encode(x=low, x2=alt.X2("high:Q"), color=quiet),
        base.mark_point(filled=True, size=100, opacity=1).encode(x=x, color=coloured, shape=shape, tooltip=about),
    ]


def _meanings(y: alt.Y, offset: alt.YOffset) -> list[alt.Chart]:
    marks = [(MEASURES[measure], at, means) for measure, named in _MARKS.items() for at, means in named.items()]
    rows = pd.DataFrame(marks, columns=["group", "value", "means"]).assign(model=_MEANINGS)
    rows["short"] = rows["means"].replace(_SHORT)
    text = alt.ExprRef(f"{NARROW} ? datum.short : datum.means")
    return [
        alt.Chart(rows[rows["value"] == at])
        .mark_text(align=align, fontSize=11, color=GREY, text=text)
        .encode(x=_upwards(""), y=y, yOffset=offset)
        for at, align in ((0, "left"), (HALF, "center"), (100, "right"))
    ]


def coin(axis: str) -> list[alt.Chart]:
    """A dashed line at 50: neither is preferred."""
    rule = alt.Chart(pd.DataFrame({"coin": [HALF]})).mark_rule(strokeDash=[3, 3], color=GREY)
    return [rule.encode(**{axis: alt.X("coin:Q") if axis == "x" else alt.Y("coin:Q")})]


def _upwards(title: str) -> alt.X:
    scale = alt.Scale(domain=[0, 100], nice=False)
    return alt.X("value:Q", title=title or None, scale=scale, axis=alt.Axis(values=[0, 25, 50, 75, 100]))


def _centred(values: pd.Series, title: str) -> alt.X:
    return alt.X("value:Q", title=title, scale=reach_around_50(values), axis=alt.Axis(tickCount=6))


def reach_around_50(values: pd.Series) -> alt.Scale:
    """A scale centred on 50 with some room beyond the values, because marks on the edge take no click."""
    reach = max(_LEAST_REACH, 1.08 * float((values - HALF).abs().max()))
    return alt.Scale(domain=[HALF - reach, HALF + reach], nice=False, zero=False)


TERM = "term"
"""Name of the selection made by a click on a term; it holds `term`."""
_NAME = {"across": 0.35, "ss": 0.06}
"""Roughly the share of the plot's width and height that a name takes; terms without room get only a tooltip."""
_SPREAD, _MOST_STEP = 0.8, 0.3
"""How wide overlapping terms are spread, and the largest gap between two, in examples."""


def terms_in_funnel(terms: pd.DataFrame, centre: float, finding: str) -> alt.LayerChart:
    """SS of each term over its number of examples, and the band where 95 % of terms would fall by chance alone.

    `terms`: term, bias_type, n, ss (per cent), outside. The band is that around the `centre`, and reaches one example
    more on either side than terms have. A click on a term selects `TERM`.
    """
    sizes = np.arange(max(1, terms["n"].min() - 1), terms["n"].max() + 2, dtype=np.float64)
    low, high = band(sizes, centre)
    drawn, expected = _side_by_side(terms), pd.DataFrame({"n": sizes, "low": low, "high": high, "centre": centre})
    scale = alt.Scale(domain=[float(sizes.min()), float(sizes.max())], nice=False, zero=False)
    axis = alt.Axis(tickMinStep=1, format="d", grid=False, tickCount=6)
    x, across = (alt.X(f"{name}:Q", title="Examples of the term", scale=scale, axis=axis) for name in ("n", "across"))
    reach = reach_around_50(pd.concat([terms["ss"], expected["low"], expected["high"]]))
    y, lower = (alt.Y(f"{name}:Q", title="SS", scale=reach, axis=alt.Axis(tickCount=5)) for name in ("ss", "low"))
    funnel = alt.Chart(expected).encode(x=x)
    named = alt.Chart(_readable(drawn)).mark_text(align="left", dx=9, fontSize=12, color=GREY)
    layers = [
        funnel.mark_area(color=GREY, opacity=0.16).encode(y=lower, y2=alt.Y2("high:Q")),
        funnel.mark_line(color=GREY, strokeWidth=1.5).encode(y=alt.Y("centre:Q")),
        *coin("y"),
        _marks(alt.Chart(drawn).encode(x=across, y=y)),
        named.encode(x=across, y=y, text=alt.Text("term:N")),
    ]
    return finish(alt.layer(*layers), finding, height=300)


def _marks(base: alt.Chart) -> alt.Chart:
    """A circle per term; outside the band a square, orange above 50 and blue below."""
    click = alt.selection_point(name=TERM, fields=["term"], on="click", empty=False)
    sides = [{"test": "!datum.outside", "value": GREY}, {"test": "datum.ss > 50", "value": B}]
    about = tooltip(term="Term", bias_type="Bias type", ss=("SS", ".1f"))
    marks = base.mark_point(filled=True, opacity=0.9, cursor="pointer").encode(
        color=alt.Color(condition=sides, value=A),
        size=alt.SizeValue(**alt.condition(click, alt.value(190), alt.value(70))),
        shape=alt.ShapeValue(**alt.condition("datum.outside", alt.value("square"), alt.value("circle"))),
        tooltip=[*about, alt.Tooltip("n:Q", title="Examples")],
    )
    return selecting(marks, click)


def _side_by_side(terms: pd.DataFrame) -> pd.DataFrame:
    """Adds `across`: the number of examples, shifted a little where terms would overlap."""
    alike = terms.groupby(["n", "ss"])["term"]
    places, sizes = alike.cumcount(), alike.transform("size")
    step = (_SPREAD / sizes).clip(upper=_MOST_STEP)
    return terms.assign(across=terms["n"] + (places - (sizes - 1) / 2) * step)


def _readable(terms: pd.DataFrame) -> pd.DataFrame:
    """The terms outside the band whose names do not overlap, taken from the farthest from 50 on."""
    outside = terms[terms["outside"]]
    outside = outside.loc[(outside["ss"] - 50).abs().sort_values(ascending=False, kind="stable").index]
    width, height = (_NAME[way] * (terms[way].max() - terms[way].min()) for way in ("across", "ss"))
    named: dict[int, tuple[float, float]] = {}
    for place, (across, ss) in enumerate(zip(outside["across"], outside["ss"], strict=True)):
        if all(abs(across - x) > width or abs(ss - y) > height for x, y in named.values()):
            named[place] = across, ss
    return outside.iloc[[*named]]
