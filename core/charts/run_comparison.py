"""Charts of runs beside each other: numbers by group, differences from one of them, every pair, margins of items.

Same visual language as `core.charts.accuracy`: a hue and a mark per run; differences blue above zero, orange below.
"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from core.charts.hues import hue_and_mark
from core.charts.measure import Measure
from core.charts.named_rows import NARROW, named_rows
from core.charts.style import GREY, A, B, finish, legend, zero

_LANE = 11
"""Pixels of a row for each run in it."""
_MARGIN = 12
"""Pixels between rows."""
_TWO_LINES = 28
"""Pixels that a long name of a group takes, which is broken."""
_CELL = 34
SIDES = {"run": "only the run", "reference": "only the reference", "both": "both", "neither": "neither"}
"""By value of `right_in` (`core.reports.run_comparison.flips`): who has the item right."""


def values_by_group(values: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """One row per group with a lane for each run: its number with the interval, and chance as a tick.

    `values`: run, group, value, low, high, n, chance; rows come in the order of the first run's groups.
    """
    hue, shape = hue_and_mark("run", values["run"], "Run")
    lanes = _lanes(values["run"])
    base = alt.Chart(values).encode(y=_rows(values), yOffset=lanes, color=hue)
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("group:N", title="Group"),
        *_interval(measure.title, measure.format),
        alt.Tooltip("n:Q", title="Items", format=","),
    ]
    dots = base.encode(x=measure.axis("value", values), shape=shape, tooltip=tooltip)
    layers = [
        *_chance(values, measure),
        base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=measure.axis("low", values), x2="high:Q"),
        dots.mark_point(filled=True, size=70, opacity=1),
    ]
    return finish(alt.layer(*layers), finding, height=_height(values["run"].nunique()))


def differences_by_group(
    differences: pd.DataFrame, finding: str, measure: Measure, reference: str, runs: Sequence[str]
) -> alt.LayerChart:
    """How far each run is from the reference, group by group, around a line at zero.

    `differences`: run, group, difference, low, high, n, p_holm, clear, which says whether the mark is filled. One run
    is blue where it is ahead and orange where it is behind; several have the hues and marks that they have among all
    `runs`, as in `values_by_group`.
    """
    others = list(dict.fromkeys(differences["run"]))
    ahead = alt.Color(condition=[{"test": "datum.difference > 0", "value": A}], value=B)
    hue, shape = ahead, alt.value("circle")
    if len(others) > 1:
        hue, shape = hue_and_mark("run", runs, "Run", listed=others)
    style = "+.1%" if measure.scale == "share" else "+.3f"
    title = f"Difference from {reference}" + ("" if measure.scale == "share" else f" ({measure.title})")
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("group:N", title="Group"),
        alt.Tooltip("difference:Q", title=title, format=style),
        alt.Tooltip("low:Q", title="95 % interval from", format=style),
        alt.Tooltip("high:Q", title="to", format=style),
        alt.Tooltip("n:Q", title="Items in both", format=","),
        alt.Tooltip("p_holm:Q", title="p (Holm)", format=".2g"),
    ]
    axis = alt.Axis(tickCount=6, **({"format": "+%"} if measure.scale == "share" else {}))
    base = alt.Chart(differences).encode(y=_rows(differences), yOffset=_lanes(differences["run"]), color=hue)
    dots = base.encode(x=alt.X("difference:Q", title=title, axis=axis), shape=shape, tooltip=tooltip)
    layers = [
        zero("x"),
        base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=alt.X("low:Q", title=title, axis=axis), x2="high:Q"),
        dots.transform_filter("datum.clear").mark_point(filled=True, size=70, opacity=1),
        dots.transform_filter("!datum.clear").mark_point(filled=False, size=70, opacity=1),
    ]
    return finish(alt.layer(*layers), finding, height=_height(differences["run"].nunique()))


def every_pair(pairs: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """Every run minus every other: a cell each, its number bold where it is clear, its shade the size.

    `pairs`: run (the row), reference (the column, which is subtracted), difference, low, high, p_holm, clear.
    """
    order = list(dict.fromkeys([*pairs["run"], *pairs["reference"]]))
    reach = float(pairs["difference"].abs().max()) or 1.0
    style = "+.1%" if measure.scale == "share" else "+.3f"
    shade = alt.Scale(domain=[-reach, 0, reach], range=[B, "rgba(128,128,128,0.08)", A])
    names = alt.Axis(labelLimit=220, ticks=False, domain=False, labelPadding=6)
    columns = alt.Axis(labelLimit=220, ticks=False, domain=False, labelAngle=-40, orient="top")
    base = alt.Chart(pairs).encode(
        y=alt.Y("run:N", title=None, scale=alt.Scale(domain=order), axis=names),
        x=alt.X("reference:N", title="minus", scale=alt.Scale(domain=order), axis=columns),
        tooltip=[
            alt.Tooltip("run:N", title="Run"),
            alt.Tooltip("reference:N", title="minus"),
            alt.Tooltip("difference:Q", title="Difference", format=style),
            alt.Tooltip("low:Q", title="95 % interval from", format=style),
            alt.Tooltip("high:Q", title="to", format=style),
            alt.Tooltip("p_holm:Q", title="p (Holm)", format=".2g"),
        ],
    )
    cells = base.mark_rect(opacity=0.6).encode(color=alt.Color("difference:Q", scale=shade, legend=None))
    text = alt.Text("difference:Q", format=style)
    numbers = base.mark_text(fontSize=12).encode(text=text)
    layers = [
        cells,
        numbers.transform_filter("!datum.clear"),
        base.mark_text(fontSize=12, fontWeight="bold").encode(text=text).transform_filter("datum.clear"),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(_CELL))


def margin_against_margin(
    items: pd.DataFrame, finding: str, names: tuple[str, str], unit: str = "bits"
) -> alt.LayerChart:
    """Every item's margin in a run against that in the reference; those that changed sides are marked.

    `items`: item, margin, margin_reference, right_in (`core.reports.run_comparison.flips`). Above 0 the right one is
    ahead.
    """
    run, reference = names
    said = SIDES | {"run": f"only {run}", "reference": f"only {reference}"}
    drawn = items.assign(side=items["right_in"].map(said).fillna("a tie"))
    sides = [said["run"], said["reference"], said["both"], said["neither"], "a tie"]
    hue = alt.Scale(domain=sides, range=[A, B, GREY, GREY, GREY])
    mark = alt.Scale(domain=sides, range=["circle", "square", "triangle-up", "triangle-down", "cross"])
    columns = alt.ExprRef(f"{NARROW} ? 1 : 3")
    above = alt.Legend(**legend("Right in").to_dict(), symbolOpacity=1, columns=columns, labelLimit=280)
    base = alt.Chart(drawn).encode(
        x=alt.X("margin_reference:Q", title=f"Margin in {reference} ({unit})", axis=alt.Axis(tickCount=6)),
        y=alt.Y("margin:Q", title=f"Margin in {run} ({unit})", axis=alt.Axis(tickCount=6)),
        color=alt.Color("side:N", scale=hue, legend=above),
        shape=alt.Shape("side:N", scale=mark, legend=above),
        tooltip=[
            alt.Tooltip("item:N", title="Item"),
            alt.Tooltip("margin:Q", title=run, format="+.2f"),
            alt.Tooltip("margin_reference:Q", title=reference, format="+.2f"),
            alt.Tooltip("side:N", title="Right in"),
        ],
    )
    flipped = "datum.right_in === 'run' || datum.right_in === 'reference'"
    layers = [
        zero("x"),
        zero("y"),
        base.transform_filter(f"!({flipped})").mark_point(filled=True, size=28, opacity=0.45),
        base.transform_filter(flipped).mark_point(filled=True, size=60, opacity=0.9),
    ]
    return finish(alt.layer(*layers), finding, height=360)


def _rows(rows: pd.DataFrame) -> alt.Y:
    return named_rows(rows.drop_duplicates("group"), sections=False)


def _lanes(runs: pd.Series) -> alt.YOffset:
    """Runs below each other inside a row, in their order."""
    return alt.YOffset("run:N", scale=alt.Scale(domain=list(dict.fromkeys(runs)), paddingOuter=0.3))


def _height(n_runs: int) -> alt.Step:
    return alt.Step(max(_LANE * n_runs + _MARGIN, _TWO_LINES), **{"for": "position"})


def _interval(title: str, style: str) -> list[alt.Tooltip]:
    titles = {"value": title, "low": "95 % interval from", "high": "to"}
    return [alt.Tooltip(f"{name}:Q", title=said, format=style) for name, said in titles.items()]


def _chance(values: pd.DataFrame, measure: Measure) -> list[alt.Chart]:
    """A dashed line where a blind guess would be; none where it differs from row to row."""
    known = values.dropna(subset=["chance"])
    if known["chance"].nunique() != 1:
        return []
    tooltip = alt.Tooltip("chance:Q", title="A blind guess", format=measure.format)
    rule = alt.Chart(known.head(1)).mark_rule(strokeDash=[3, 3], color=GREY)
    return [rule.encode(x=measure.axis("chance", values), tooltip=tooltip)]
