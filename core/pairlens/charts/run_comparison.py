"""Charts that compare runs: differences from a reference, every pair, margins of items.

Each run has a hue and a mark of its own; differences are blue above zero and orange below.
"""

from collections.abc import Sequence

import altair as alt
import pandas as pd

from pairlens.charts.hues import hue_and_mark
from pairlens.charts.named_rows import NARROW, Measure, dots, named_rows
from pairlens.charts.style import GREY, A, B, finish, interval, legend, square, tooltip, zero

_LANE = 11
"""Pixels per run in a row."""
_MARGIN = 12
"""Pixels between rows."""
_TWO_LINES = 28
"""Pixels of a long group name, which takes two lines."""
_CELL = 34
SIDES = {"run": "only the run", "reference": "only the reference", "both": "both", "neither": "neither"}
"""By value of `right_in` (`pairlens.reports.run_comparison.comparison`): which run has the item right."""


def differences_by_group(
    rows: pd.DataFrame, finding: str, measure: Measure, reference: str, runs: Sequence[str]
) -> alt.LayerChart:
    """Each run minus the reference, group by group, around a line at zero.

    `rows`: run, group, difference, low, high, n, p_holm, clear (whether the mark is filled). Several runs keep the
    hues and marks that they have among all `runs`.
    """
    others = list(dict.fromkeys(rows["run"]))
    sides = [{"test": f"datum.difference {side} 0", "value": hue} for side, hue in ((">", A), ("<", B))]
    ahead = alt.ColorValue(GREY, condition=sides)
    single = ahead, alt.ShapeValue("circle")
    hue, shape = hue_and_mark("run", runs, "Run", listed=others) if len(others) > 1 else single
    points = measure.scale == "share"
    title = f"Difference from {reference} ({'points' if points else measure.title})"
    axis = alt.Axis(tickCount=6, **({"labelExpr": "format(100 * datum.value, '+.3~g')"} if points else {}))
    x, low = (alt.X(f"{column}:Q", title=title, axis=axis) for column in ("difference", "low"))
    form, p_value = _signed(measure), ("p (Holm)", ".2g")
    numbers = {"n": ("Items in both", ","), "difference": ("Difference", form), **interval(form), "p_holm": p_value}
    base = alt.Chart(rows).encode(y=_rows(rows), yOffset=_lanes(rows["run"]))
    spread, marks = dots(base, x, low, hue, shape, tooltip(run="Run", group="Group", **numbers))
    hollow = marks.mark_point(filled=False, size=70, opacity=1).transform_filter("!datum.clear")
    layers = [zero("x"), spread, marks.transform_filter("datum.clear"), hollow]
    return finish(alt.layer(*layers), finding, height=_height(len(others)))


def every_pair(pairs: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """Every run minus every other, a cell each: shaded by size, bold where the difference is clear.

    `pairs`: run (the row), reference (the column, which is subtracted), difference, low, high, p_holm, clear.
    """
    order = list(dict.fromkeys([*pairs["run"], *pairs["reference"]]))
    reach = float(pairs["difference"].abs().max()) or 1.0
    form = _signed(measure)
    shade = alt.Scale(domain=[-reach, 0, reach], range=[B, "rgba(128,128,128,0.08)", A])
    names = alt.Axis(labelLimit=220, ticks=False, domain=False, labelPadding=6)
    columns = alt.Axis(labelLimit=220, ticks=False, domain=False, labelAngle=-40, orient="top")
    base = alt.Chart(pairs).encode(
        y=alt.Y("run:N", title=None, scale=alt.Scale(domain=order), axis=names),
        x=alt.X("reference:N", title="minus", scale=alt.Scale(domain=order), axis=columns),
        tooltip=tooltip(
            run="Run",
            reference="minus",
            difference=("Difference", form),
            **interval(form),
            p_holm=("p (Holm)", ".2g"),
        ),
    )
    text = alt.Text("difference:Q", format=form)
    layers = [
        base.mark_rect(opacity=0.6).encode(color=alt.Color("difference:Q", scale=shade, legend=None)),
        base.mark_text(fontSize=12).encode(text=text).transform_filter("!datum.clear"),
        base.mark_text(fontSize=12, fontWeight="bold").encode(text=text).transform_filter("datum.clear"),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(_CELL))


def margin_against_margin(
    items: pd.DataFrame, finding: str, names: tuple[str, str], unit: str = "bits"
) -> alt.LayerChart:
    """Every item's margin in a run against that in the reference; items that changed sides stand out.

    `items`: item, margin, margin_reference, right_in. On the diagonal both runs agree.
    """
    run, reference = names
    named = SIDES | {"run": f"only {run}", "reference": f"only {reference}"}
    drawn = items.assign(side=items["right_in"].map(named).fillna("a tie"))
    sides = [*named.values(), "a tie"]
    hue = alt.Scale(domain=sides, range=[A, B, GREY, GREY, GREY])
    mark = alt.Scale(domain=sides, range=["circle", "square", "triangle-up", "triangle-down", "cross"])
    above = legend("Right in", symbolOpacity=1, columns=alt.ExprRef(f"{NARROW} ? 1 : 3"), labelLimit=280)
    reach = drawn[["margin", "margin_reference"]]
    scale, axis = alt.Scale(domain=[reach.min().min(), reach.max().max()], nice=True), alt.Axis(tickCount=6)
    base = alt.Chart(drawn).encode(
        x=alt.X("margin_reference:Q", title=f"Margin in {reference} ({unit})", scale=scale, axis=axis),
        y=alt.Y("margin:Q", title=f"Margin in {run} ({unit})", scale=scale, axis=axis),
        color=alt.Color("side:N", scale=hue, legend=above),
        shape=alt.Shape("side:N", scale=mark, legend=above),
        tooltip=tooltip(item="Item", margin=(run, "+.2f"), margin_reference=(reference, "+.2f"), side="Right in"),
    )
    flipped = "datum.right_in === 'run' || datum.right_in === 'reference'"
    ends = pd.DataFrame({"margin": [reach.min().min(), reach.max().max()]})
    layers = [
        zero("x"),
        zero("y"),
        alt.Chart(ends).mark_line(color=GREY, strokeDash=[4, 4]).encode(x=alt.X("margin:Q"), y=alt.Y("margin:Q")),
        base.transform_filter(f"!({flipped})").mark_point(filled=True, size=28, opacity=0.45),
        base.transform_filter(flipped).mark_point(filled=True, size=60, opacity=0.9),
    ]
    return square(finish(alt.layer(*layers), finding, height=360))


def _rows(rows: pd.DataFrame) -> alt.Y:
    return named_rows(rows.drop_duplicates("group"), sections=False)


def _lanes(runs: pd.Series) -> alt.YOffset:
    return alt.YOffset("run:N", scale=alt.Scale(domain=list(dict.fromkeys(runs)), paddingOuter=0.3))


def _height(n_runs: int) -> alt.Step:
    return alt.Step(max(_LANE * n_runs + _MARGIN, _TWO_LINES), **{"for": "position"})


def _signed(measure: Measure) -> str:
    return "+.1%" if measure.scale == "share" else "+.3f"
