"""Charts of an experiment: surprisal along the sentences, pair by pair, means by condition.

Expected sentences are blue circles on solid lines, unexpected ones orange squares on dashed lines, under the names
that the design has for them (`sides`). Where several conditions share a chart, each has a hue and a mark of its own,
and its unexpected sentences have dashed lines and hollow marks.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import altair as alt
import pandas as pd

from pairlens.analysis.experiment import EXPECTED, UNEXPECTED
from pairlens.charts.hues import dashes, hue_and_mark, line_legend, without_legend
from pairlens.charts.style import GREY, A, B, apart, finish, legend, positions, selecting, square, tooltip, zero
from pairlens.statistics.intervals import LEVEL

PAIR = "pair"
"""Name of the selection made by clicks on pairs; it holds `model` and `pairid`."""

SIDES = (EXPECTED, UNEXPECTED)


@dataclass(frozen=True, slots=True)
class Quantity:
    title: str
    logarithmic: bool = False

    def y(self, column: str, domain: Sequence[float] | None = None, *, zero: bool = False) -> alt.Y:
        return alt.Y(f"{column}:Q", title=self.title, scale=self.scale(domain, zero=zero), axis=_NUMBERS)

    def scale(self, domain: Sequence[float] | None = None, *, zero: bool = False) -> alt.Scale:
        ends = {} if domain is None else {"domain": list(domain)}
        kind = {"type": "log"} if self.logarithmic else {"zero": zero}
        return alt.Scale(**ends, **kind, nice=not ends)


Encoding: TypeAlias = alt.Color | alt.ColorValue | alt.Shape | alt.ShapeValue
"""A channel, or one value for all marks."""
_NUMBERS = alt.Axis(grid=True, tickCount=5, minExtent=36)

QUANTITIES = {
    "surp": Quantity("Surprisal (bits)"),
    "prob": Quantity("Probability", logarithmic=True),
    "perplexity": Quantity("Perplexity", logarithmic=True),
}


def quantity_in(unit: str, measure: str) -> Quantity:
    return Quantity(f"Surprisal ({unit})") if measure == "surp" else QUANTITIES[measure]


def _ends(form: str) -> dict[str, tuple[str, str]]:
    return {"low": ("95 % from", form), "high": ("to", form)}


def along_the_sentence(
    profile: pd.DataFrame,
    region: pd.DataFrame,
    finding: str,
    domain: Sequence[float] | None = None,
    conditions: str = "Condition",
    sides: Sequence[str] = SIDES,
) -> alt.LayerChart:
    """Mean surprisal by position, one line per condition and comparison, with intervals; the region is shaded.

    `profile`: line (the condition), comparison, position (from 0; drawn from 1), label, surp (bits), low, high (NaN
    for one sentence), n. `region`: position, region (`ROI`, `ROI+1`, ...), share (of the sentences that have it, 0 to
    1). `conditions` is the title of the legend.
    """
    profile, region = (rows.assign(position=rows["position"] + 1) for rows in (profile, region))
    quantity, profile = QUANTITIES["surp"], _named(profile, sides)
    several, compared = profile["line"].nunique() > 1, profile["comparison"].isin(sides).any()
    hue, shape = _looks(profile, conditions, sides)
    legends = [] if several or not compared else line_legend(hue, "comparison", sides, None)
    if legends:
        hue, shape = without_legend(hue), without_legend(shape)
    filled = f"datum.comparison !== {json.dumps(sides[1])}" if several else "true"
    about = {"line": "Condition", "comparison": "Sentences", "label": "At"}
    dodge = {} if profile.groupby("line").ngroups == 1 else {"xOffset": _dodge(profile)}
    base = alt.Chart(profile).encode(
        x=positions(profile),
        color=hue,
        detail=[alt.Detail("line:N"), alt.Detail("comparison:N")],
        tooltip=tooltip(**about, surp=(quantity.title, ".3f"), **_ends(".3f"), n=("Sentences here", ",")),
        **dodge,
    )
    y, low = (quantity.y(column, domain, zero=True) for column in ("surp", "low"))
    styles = alt.Legend(title=None, orient="bottom", symbolType="stroke", symbolSize=400)
    dash = dashes("comparison", sides)
    if several and compared and isinstance(dash, alt.StrokeDash):
        dash = dash.legend(styles)
    marks = base.encode(y=y, shape=shape)
    layers = [
        *_shaded(region, profile),
        # Clipped: intervals of few sentences may reach below 0 and beyond the axis.
        base.mark_rule(strokeWidth=1.5, opacity=0.55, clip=True).encode(y=low, y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dash),
        marks.transform_filter(filled).mark_point(filled=True, size=60, opacity=1),
        marks.transform_filter(f"!({filled})").mark_point(filled=False, size=55, opacity=1),
    ]
    together = apart([*layers, *legends]) if legends else alt.layer(*layers)
    return finish(together, finding, height=260)


def _named(rows: pd.DataFrame, sides: Sequence[str], column: str = "comparison") -> pd.DataFrame:
    return rows.assign(**{column: rows[column].replace(dict(zip(SIDES, sides, strict=True)))})


def _looks(rows: pd.DataFrame, title: str, sides: Sequence[str]) -> tuple[Encoding, Encoding]:
    if rows["line"].nunique() > 1:
        return hue_and_mark("line", rows["line"], title)
    if not rows["comparison"].isin(sides).all():
        return alt.ColorValue(A), alt.ShapeValue("circle")
    hue, mark = (alt.Scale(domain=[*sides], range=looks) for looks in ([A, B], ["circle", "square"]))
    above = legend(symbolOpacity=1)
    return alt.Color("comparison:N", scale=hue, legend=above), alt.Shape("comparison:N", scale=mark, legend=above)


def _dodge(profile: pd.DataFrame) -> alt.XOffset:
    """Lines of several conditions a little apart; names of no line keep the outer parts of each position free."""
    names = dict.fromkeys(profile["line"])
    return alt.XOffset("line:N", scale=alt.Scale(domain=["\0", "\1", *names, "\2", "\3"]))


def _shaded(region: pd.DataFrame, profile: pd.DataFrame) -> list[alt.Chart]:
    """The region of interest and the spill-over behind the lines, paler where fewer sentences have them."""
    drawn = region[region["position"].isin(profile["position"])]
    if drawn.empty:
        return []
    strong = drawn["region"].eq("ROI").map({True: 0.28, False: 0.12})
    base = alt.Chart(drawn.assign(shade=strong * drawn["share"])).encode(
        x=alt.X("position:O"), tooltip=tooltip(region="Region", share=("Of the sentences", ".0%"))
    )
    behind = base.mark_bar(color=GREY, width=alt.RelativeBandSize(1))
    opacity = alt.Opacity("shade:Q", scale=None, legend=None)
    return [behind.encode(y=alt.YValue(0), y2=alt.Y2Value("height"), opacity=opacity)]


def pair_by_pair(
    pairs: pd.DataFrame, finding: str, quantity: Quantity, sides: Sequence[str] = SIDES
) -> alt.LayerChart:
    """A point per pair: the expected sentence on the x axis, the unexpected one on the y axis. Clicks select `PAIR`.

    `pairs`: model, pairid, cell (its condition), expected, unexpected, preferred (`expected`, `unexpected`, `tie`).
    """
    known, pairs = pairs[["expected", "unexpected"]], _named(pairs, sides, "preferred")
    ends = [float(known.min().min()), float(known.max().max())]
    domain = ends if ends[0] < ends[1] else [ends[0] / 2, ends[1] * 1.5 or 1.0]
    click = alt.selection_point(name=PAIR, fields=["model", "pairid"], on="click", toggle="true", empty=False)
    among, names = [*sides, "tie"], [side.capitalize() for side in sides]
    hue = alt.Scale(domain=among, range=[A, B, GREY])
    mark = alt.Scale(domain=among, range=["circle", "square", "diamond"])
    above, title = legend("Preferred"), quantity.title[:1].lower() + quantity.title[1:]
    padded = alt.Scale(**quantity.scale(domain).to_dict(), padding=14)
    about = {side: (name, ".4g") for side, name in zip(SIDES, names, strict=True)}
    marks = alt.Chart(pairs).mark_point(filled=True)
    points = selecting(marks, click).encode(
        x=alt.X("expected:Q", title=f"{names[0]}: {title}", scale=padded, axis=_NUMBERS),
        y=alt.Y("unexpected:Q", title=f"{names[1]}: {title}", scale=padded, axis=_NUMBERS),
        color=alt.Color("preferred:N", scale=hue, legend=above),
        shape=alt.Shape("preferred:N", scale=mark, legend=above),
        size=alt.SizeValue(**alt.condition(click, alt.value(190), alt.value(60))),
        opacity=alt.OpacityValue(**alt.condition(click, alt.value(1), alt.value(0.7))),
        tooltip=tooltip(pairid="Pair", cell="Condition", **about),
    )
    corners = pd.DataFrame({"expected": domain, "unexpected": domain})
    diagonal = (
        alt.Chart(corners)
        .mark_line(color=GREY, strokeDash=[4, 4])
        .encode(x=alt.X("expected:Q"), y=alt.Y("unexpected:Q"))
    )
    return square(finish(alt.layer(diagonal, points), finding, height=380))


def by_condition(
    cells: pd.DataFrame, finding: str, quantity: Quantity, sides: Sequence[str] = SIDES
) -> alt.LayerChart:
    """One row per condition: the means of its expected and unexpected sentences, with intervals.

    `cells`: cell, comparison (empty in a design without pairs), value, low, high (NaN if too few), n. Rows keep their
    order.
    """
    names, cells = list(dict.fromkeys(cells["cell"])), _named(cells, sides)
    hue, mark = _looks(cells.assign(line=""), "", sides)
    axis = alt.Axis(labelLimit=220, labelFontSize=13, labelPadding=8, ticks=False, domain=False)
    about = {"cell": "Condition", "comparison": "Sentences"}
    base = alt.Chart(cells).encode(
        y=alt.Y("cell:N", title=None, scale=alt.Scale(domain=names, paddingInner=0.3), axis=axis),
        yOffset=alt.YOffset("comparison:N", sort=list(sides)),
        color=hue,
        tooltip=tooltip(**about, value=(quantity.title, ".4g"), **_ends(".4g"), n=("Pairs", ",")),
    )
    x = alt.X("value:Q", title=quantity.title, scale=quantity.scale(zero=True), axis=_NUMBERS)
    spread = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=quantity.scale(zero=True)), x2=alt.X2("high:Q")
    )
    layers = [spread, base.mark_point(filled=True, size=80, opacity=1).encode(x=x, shape=mark)]
    if not quantity.logarithmic:
        layers.insert(0, base.mark_bar(opacity=0.3).encode(x=x))
    return finish(alt.layer(*layers), finding, height=alt.Step(22))


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
    named = dict(zip(("first", "second"), factors, strict=True))
    about = tooltip(**named, value=(quantity.title, ".3f"), **_ends(".3f"))
    base = alt.Chart(cells).encode(x=x, color=hue, tooltip=about)
    faint = alt.Chart(items).mark_line(strokeWidth=1, opacity=0.18)
    y = quantity.y("value", domain)
    layers = [
        faint.encode(x=x, y=y, color=hue, detail=[alt.Detail("item:N"), alt.Detail("second:N")]),
        base.mark_rule(strokeWidth=2).encode(y=quantity.y("low", domain), y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=3).encode(y=y),
        base.mark_point(filled=True, size=90, opacity=1).encode(y=y, shape=shape),
    ]
    return finish(alt.layer(*layers), finding, height=260)


def interaction_by_region(
    rows: pd.DataFrame, finding: str, measured: Quantity = QUANTITIES["surp"]
) -> alt.LayerChart:
    """The interaction in the region of interest and in those that follow, with intervals over items.

    `rows`: region, mean (in the measure), low, high, n_items, p_holm. The mark is filled where the
    difference from zero holds after correction for the number of regions, as the legend says.
    """
    title = f"Interaction: {measured.title}"
    verdicts = ("distinguishable from 0", "not distinguishable")
    clear = rows.assign(verdict=(rows["p_holm"] < 1 - LEVEL).map(dict(zip((True, False), verdicts, strict=True))))
    look = legend("95 %, after Holm's correction", titleLimit=280, symbolStrokeColor=GREY, symbolStrokeWidth=2)
    fill = alt.Fill("verdict:N", scale=alt.Scale(domain=verdicts, range=[GREY, "transparent"]), legend=look)
    names, axis = list(rows["region"]), alt.Axis(labelFontSize=13, ticks=False, domain=False)
    ends = {"mean": (title, "+.3f"), **_ends("+.3f")}
    base = alt.Chart(clear).encode(
        y=alt.Y("region:N", title=None, scale=alt.Scale(domain=names), axis=axis),
        tooltip=tooltip(region="Region", **ends, p_holm=("p (Holm)", ".3g"), n_items=("Items", ",")),
        color=alt.ColorValue(GREY),
    )
    x = alt.X("mean:Q", title=title, axis=alt.Axis(tickCount=5))
    layers = [
        zero("x"),
        base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q")),
        base.mark_point(size=85, opacity=1).encode(x=x, fill=fill),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(30))
