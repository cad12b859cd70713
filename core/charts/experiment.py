"""Charts of an experiment: surprisal along the sentences, pair by pair, means by condition.

Expected sentences are blue circles on solid lines, unexpected ones orange squares on dashed lines. Where several
conditions share a chart, each has a hue and a mark of its own, and its unexpected sentences have dashed lines and
hollow marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import altair as alt
import pandas as pd

from core.analysis.experiment import EXPECTED, UNEXPECTED
from core.charts.hues import hue_and_mark
from core.charts.style import GREY, A, B, finish, legend, positions, tooltip

PAIR = "pair"
"""Name of the selection made by clicks on pairs; it holds `model` and `pairid`."""

_MEMBERS = [EXPECTED, UNEXPECTED]
_HUE = alt.Scale(domain=_MEMBERS, range=[A, B])
_DASH = alt.Scale(domain=_MEMBERS, range=[[1, 0], [6, 4]])
_MARK = alt.Scale(domain=_MEMBERS, range=["circle", "square"])


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is measured: the `title` of its axis, and whether the axis is logarithmic."""

    title: str
    logarithmic: bool = False
    format: str = ".2f"

    def y(self, column: str, domain: Sequence[float] | None = None, *, zero: bool = False) -> alt.Y:
        """A vertical axis; `domain`, if given, fixes its ends, so that charts can be compared."""
        return alt.Y(f"{column}:Q", title=self.title, scale=self.scale(domain, zero=zero), axis=_NUMBERS)

    def scale(self, domain: Sequence[float] | None = None, *, zero: bool = False) -> alt.Scale:
        """A scale for this quantity."""
        ends = {} if domain is None else {"domain": list(domain)}
        kind = {"type": "log"} if self.logarithmic else {"zero": zero}
        return alt.Scale(**ends, **kind, nice=not ends)


Encoding: TypeAlias = alt.Color | alt.Shape | dict[str, str]
"""A channel, or one value for all marks."""
_NUMBERS = alt.Axis(grid=True, tickCount=5, minExtent=36)

QUANTITIES = {
    "surp": Quantity("Surprisal (bits)"),
    "prob": Quantity("Probability", logarithmic=True, format=".3g"),
    "perplexity": Quantity("Perplexity", logarithmic=True, format=".4g"),
}


def along_the_sentence(
    profile: pd.DataFrame,
    region: pd.DataFrame,
    finding: str,
    domain: Sequence[float] | None = None,
    conditions: str = "Condition",
) -> alt.LayerChart:
    """Mean surprisal by position, one line per condition and comparison, with intervals; the region is shaded.

    `profile`: line (the condition), comparison, position, label, surp (bits), low, high (NaN for one sentence), n.
    `region`: position, region (`ROI`, `ROI+1`, ...), share (of the sentences that have it there, 0 to 1).
    `conditions` is the title of the legend.
    """
    quantity = QUANTITIES["surp"]
    hue, shape, filled = _looks(profile, conditions)
    dodge = {} if profile.groupby("line").ngroups == 1 else {"xOffset": _dodge(profile)}
    base = alt.Chart(profile).encode(
        x=positions(profile),
        color=hue,
        detail=["line:N", "comparison:N"],
        tooltip=tooltip(
            line="Condition",
            comparison="Sentences",
            label="At",
            surp=(quantity.title, ".3f"),
            low=("95 % from", ".3f"),
            high=("to", ".3f"),
            n=("Sentences here", ","),
        ),
        **dodge,
    )
    y = quantity.y("surp", domain, zero=True)
    dash = alt.StrokeDash("comparison:N", scale=_DASH, legend=None)
    marks = base.encode(y=y, shape=shape)
    layers = [
        *_shaded(region, profile),
        _spread(base, quantity.y("low", domain, zero=True)),
        base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dash),
        marks.transform_filter(filled).mark_point(filled=True, size=60, opacity=1),
        marks.transform_filter(f"!({filled})").mark_point(filled=False, size=55, opacity=1),
    ]
    return finish(alt.layer(*layers), finding, height=260)


def _spread(base: alt.Chart, low: alt.Y) -> alt.Chart:
    """Intervals, clipped: those of few sentences may reach below 0 and beyond the axis."""
    return base.mark_rule(strokeWidth=1.5, opacity=0.55, clip=True).encode(y=low, y2="high:Q")


def _looks(rows: pd.DataFrame, title: str) -> tuple[Encoding, Encoding, str]:
    """Hue and mark, and the expression that says which marks are filled.

    One condition: by comparison. Several: by condition, and hollow where the sentence is unexpected.
    """
    if rows["line"].nunique() > 1:
        return *hue_and_mark("line", rows["line"], title), f"datum.comparison !== '{UNEXPECTED}'"
    if not rows["comparison"].isin(_MEMBERS).all():
        return alt.value(A), alt.value("circle"), "true"
    above = legend(symbolOpacity=1, symbolDash=[1, 0], symbolStrokeWidth=0)
    hue = alt.Color("comparison:N", scale=_HUE, legend=above)
    return hue, alt.Shape("comparison:N", scale=_MARK, legend=above), "true"


def _dodge(profile: pd.DataFrame) -> alt.XOffset:
    """Lines of several conditions a little apart, so that their intervals do not overlap.

    The names around those of the lines are of no line: they keep the outer parts of each position free.
    """
    names = dict.fromkeys(profile["line"])
    return alt.XOffset("line:N", scale=alt.Scale(domain=["\0", "\1", *names, "\2", "\3"]))


def _shaded(region: pd.DataFrame, profile: pd.DataFrame) -> list[alt.Chart]:
    """The region of interest and the spill-over behind the lines, paler where fewer sentences have them."""
    drawn = region[region["position"].isin(profile["position"])]
    if drawn.empty:
        return []
    strong = drawn["region"].eq("ROI").map({True: 0.28, False: 0.12})
    base = alt.Chart(drawn.assign(shade=strong * drawn["share"])).encode(
        x="position:O", tooltip=tooltip(region="Region", share=("Of the sentences", ".0%"))
    )
    behind = base.mark_bar(color=GREY, width=alt.RelativeBandSize(1))
    opacity = alt.Opacity("shade:Q", scale=None, legend=None)
    return [behind.encode(y=alt.value(0), y2=alt.value("height"), opacity=opacity)]


def pair_by_pair(pairs: pd.DataFrame, finding: str, quantity: Quantity) -> alt.LayerChart:
    """A point per pair: the expected sentence on the x axis, the unexpected one on the y axis. Clicks select `PAIR`.

    `pairs`: model, pairid, cell (its condition), expected, unexpected, preferred (`expected`, `unexpected`, `tie`).
    """
    known = pairs[["expected", "unexpected"]]
    ends = [float(known.min().min()), float(known.max().max())]
    domain = ends if ends[0] < ends[1] else [ends[0] / 2, ends[1] * 1.5 or 1.0]
    click = alt.selection_point(name=PAIR, fields=["model", "pairid"], on="click", toggle="true", empty=False)
    among = [*_MEMBERS, "tie"]
    hue = alt.Scale(domain=among, range=[A, B, GREY])
    mark = alt.Scale(domain=among, range=["circle", "square", "diamond"])
    above, title = legend("Preferred"), quantity.title[:1].lower() + quantity.title[1:]
    padded = alt.Scale(**quantity.scale(domain).to_dict(), padding=14)
    points = (
        alt.Chart(pairs)
        .mark_point(filled=True)
        .encode(
            x=alt.X("expected:Q", title=f"Expected: {title}", scale=padded, axis=_NUMBERS),
            y=alt.Y("unexpected:Q", title=f"Unexpected: {title}", scale=padded, axis=_NUMBERS),
            color=alt.Color("preferred:N", scale=hue, legend=above),
            shape=alt.Shape("preferred:N", scale=mark, legend=above),
            size=alt.condition(click, alt.value(190), alt.value(60)),
            opacity=alt.condition(click, alt.value(1), alt.value(0.7)),
            tooltip=tooltip(
                pairid="Pair", cell="Condition", expected=("Expected", ".4g"), unexpected=("Unexpected", ".4g")
            ),
        )
        .add_params(click)
    )
    corners = pd.DataFrame({"expected": domain, "unexpected": domain})
    diagonal = alt.Chart(corners).mark_line(color=GREY, strokeDash=[4, 4]).encode(x="expected:Q", y="unexpected:Q")
    return finish(alt.layer(diagonal, points), finding, height=380)


def by_condition(cells: pd.DataFrame, finding: str, quantity: Quantity) -> alt.LayerChart:
    """One row per condition: the means of its expected and unexpected sentences, with intervals.

    `cells`: cell, comparison (empty in a design without pairs), value, low, high (NaN if too few), n. Rows keep their
    order.
    """
    names = list(dict.fromkeys(cells["cell"]))
    hue, mark, _ = _looks(cells.assign(line=""), "")
    axis = alt.Axis(labelLimit=220, labelFontSize=13, labelPadding=8, ticks=False, domain=False)
    base = alt.Chart(cells).encode(
        y=alt.Y("cell:N", title=None, scale=alt.Scale(domain=names, paddingInner=0.3), axis=axis),
        yOffset=alt.YOffset("comparison:N", sort=_MEMBERS),
        color=hue,
        tooltip=tooltip(
            cell="Condition",
            comparison="Sentences",
            value=(quantity.title, ".4g"),
            low=("95 % from", ".4g"),
            high=("to", ".4g"),
            n=("Pairs", ","),
        ),
    )
    x = alt.X("value:Q", title=quantity.title, scale=quantity.scale(zero=True), axis=_NUMBERS)
    spread = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", scale=quantity.scale(zero=True)), x2="high:Q")
    layers = [spread, base.mark_point(filled=True, size=80, opacity=1).encode(x=x, shape=mark)]
    if not quantity.logarithmic:
        layers.insert(0, base.mark_bar(opacity=0.3).encode(x=x))
    return finish(alt.layer(*layers), finding, height=alt.Step(22))


def stacked(charts: Sequence[alt.LayerChart], titles: Sequence[str], finding: str) -> alt.TopLevelMixin:
    """Charts one below the other, each with its title: one figure for a paper."""
    if len(charts) == 1:
        return charts[0]
    parts = []
    for chart, title in zip(charts, titles, strict=True):
        part = chart.copy(deep=False)
        part.config = part.autosize = alt.Undefined
        parts.append(part.properties(title=title, width=640))
    return finish(alt.vconcat(*parts), finding)
