"""Charts of a benchmark's numbers: runs beside published figures, paradigm by paradigm, and two runs' differences.

Same visual language as `core.charts`. Every model has a hue and a mark of its own. What was published is grey: filled
where it is about the same items and ties, hollow otherwise.
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.hues import GREY_MARKS, hue_and_mark, without_legend
from core.charts.measure import Measure
from core.charts.named_rows import NARROW, named_rows
from core.charts.style import GREY, A, B, apart, finish, zero

GROUP = "group"
"""Name of the selection that a click on a row makes; it holds `group`."""

_COLUMNS = alt.ExprRef(f"{NARROW} ? 1 : 0")
"""Of a legend: one below the other in a narrow window, else side by side."""


def accuracy_beside(rows: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """Runs above what was published: one row each, the runs with their intervals.

    `rows`: name, value, low, high (NaN for published figures), chance, note, mark: `run`, or for published figures
    `same` if items and tie rule are those of the runs, else `other`, which is drawn hollow.
    """
    axis = alt.Axis(labelPadding=8, labelLimit=260, ticks=False, domain=False)
    base = alt.Chart(rows).encode(
        y=alt.Y("name:N", scale=alt.Scale(domain=list(rows["name"])), title=None, axis=axis)
    )
    tooltip = [
        alt.Tooltip("name:N", title="Who"),
        alt.Tooltip("value:Q", title=measure.title, format=measure.format),
        alt.Tooltip("note:N", title="What"),
    ]
    dot = base.encode(x=measure.axis("value", rows), tooltip=tooltip)
    layers = [
        *_chance(rows, measure),
        base.mark_rule(strokeWidth=2, color=A, opacity=0.55).encode(x=measure.axis("low", rows), x2="high:Q"),
        dot.transform_filter("datum.mark === 'run'").mark_point(filled=True, size=90, color=A, opacity=1),
        dot.transform_filter("datum.mark === 'same'").mark_point(shape="diamond", filled=True, size=80, color=GREY),
        dot.transform_filter("datum.mark === 'other'").mark_point(shape="diamond", filled=False, size=80, color=GREY),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(24))


def accuracy_by_group(
    groups: pd.DataFrame, finding: str, measure: Measure, published: pd.DataFrame, sections: bool = True
) -> alt.LayerChart:
    """One row per group, a dot with its interval per model, chance marked; a click on a row selects `GROUP`.

    `groups`: model, group, value, low, high, chance, n, section. Rows are drawn in the order given, under the name of
    their section unless `sections` is false. `published` (group, system, value, mark) is drawn beside them.
    """
    y = named_rows(groups, sections)
    hue, shape = hue_and_mark("model", groups["model"], "Model")
    base = alt.Chart(groups).encode(y=y)
    spread = base.mark_rule(strokeWidth=2, opacity=0.55)
    dots = base.mark_point(filled=True, size=70, opacity=1)
    layers = [
        *_chance(groups, measure, y),
        spread.encode(x=measure.axis("low", groups), x2="high:Q", color=without_legend(hue)),
        *_published_dots(published, y, measure.axis("value", groups)),
        dots.encode(x=measure.axis("value", groups), shape=shape, color=hue),
        _clickable(groups, published, y, measure),
    ]
    return finish(apart(layers), finding, height=alt.Step(25))


def _published_dots(published: pd.DataFrame, y: alt.Y, x: alt.X) -> list[alt.Chart]:
    """Grey marks, one shape per system: filled if they may share the axis, else hollow."""
    if published.empty:
        return []
    systems = list(dict.fromkeys(published["system"]))
    scale = alt.Scale(domain=systems, range=[*GREY_MARKS][: len(systems)])
    below = alt.Legend(title="Published", orient="bottom", labelFontSize=13, columns=_COLUMNS)
    dots = (
        alt.Chart(published)
        .mark_point(size=55, color=GREY, opacity=1)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("system:N", scale=scale, legend=below),
            fill=alt.condition("datum.mark === 'same'", alt.value(GREY), alt.value("transparent")),
        )
    )
    return [dots]


def _clickable(groups: pd.DataFrame, published: pd.DataFrame, y: alt.Y, measure: Measure) -> alt.Chart:
    """Rows that lie on top, because what is under them takes no click; each says what its dots are."""
    click = alt.selection_point(name=GROUP, fields=["group"], on="click", empty=False)
    rows = groups.drop_duplicates("group")[["group", "section", "n"]].set_index("group", drop=False)
    rows["here"] = _joined(groups, "model", measure)
    rows["published"] = _joined(published, "system", measure)
    tooltip = [
        alt.Tooltip("group:N", title="Paradigm"),
        alt.Tooltip("section:N", title="Phenomenon"),
        alt.Tooltip("here:N", title=measure.title),
        alt.Tooltip("n:Q", title="Items", format=","),
        *([alt.Tooltip("published:N", title="Published")] if len(published) else []),
    ]
    bars = alt.Chart(rows).mark_bar(height=alt.RelativeBandSize(1), color=A, cursor="pointer")
    opacity = alt.condition(click, alt.value(0.14), alt.value(0))
    return bars.encode(x=alt.value(0), x2=alt.value("width"), y=y, opacity=opacity, tooltip=tooltip).add_params(click)


def _joined(rows: pd.DataFrame, who: str, measure: Measure) -> pd.Series:
    """By group: `english-small 83.1%; unigram-english 55.0%`, with intervals where there are some."""

    def said(value: float) -> str:
        return f"{value:{measure.format}}"

    lines = rows[who].astype(str) + " " + rows["value"].map(said).astype(str)
    if "low" in rows:
        spread = " (" + rows["low"].map(said).astype(str) + " to " + rows["high"].map(said).astype(str) + ")"
        lines += spread.where(rows["low"].notna(), "")
    return lines.groupby(rows["group"]).agg("; ".join)


def _chance(rows: pd.DataFrame, measure: Measure, y: alt.Y | None = None) -> list[alt.Chart]:
    """A dashed line where a blind guess would be; along `y` a short one per row where it differs from row to row."""
    known = rows.dropna(subset=["chance"])
    if known.empty:
        return []
    x, title = measure.axis("chance", rows), alt.Tooltip("chance:Q", title="A blind guess", format=measure.format)
    if y is not None and known["chance"].nunique() > 1:
        return [alt.Chart(known).mark_tick(thickness=2, color=GREY).encode(x=x, y=y)]
    return [alt.Chart(known.head(1)).mark_rule(strokeDash=[3, 3], color=GREY).encode(x=x, tooltip=title)]


def difference_by_group(groups: pd.DataFrame, finding: str, names: tuple[str, str]) -> alt.LayerChart:
    """How far one model is ahead of another, group by group: blue where the first is, orange where the second is.

    `groups`: group, section, difference, low, high (-1 to 1, as a share), n, p_holm (what Holm's correction leaves of
    the p-value). Intervals that lie on one side of 0 are drawn with a filled mark, others with a hollow one.
    """
    rows = groups.assign(clear=(groups["low"] > 0) | (groups["high"] < 0))
    title = f"{names[0]} ahead of {names[1]}"
    ahead = alt.Color(condition=[{"test": "datum.difference > 0", "value": A}], value=B)
    base = alt.Chart(rows).encode(
        y=named_rows(groups),
        color=ahead,
        tooltip=[
            alt.Tooltip("group:N", title="Paradigm"),
            alt.Tooltip("difference:Q", title=title, format="+.1%"),
            alt.Tooltip("low:Q", title="95 % interval from", format="+.1%"),
            alt.Tooltip("high:Q", title="to", format="+.1%"),
            alt.Tooltip("n:Q", title="Items", format=","),
            alt.Tooltip("p_holm:Q", title="p (Holm)", format=".2g"),
        ],
    )
    x, low = (_points(column, title) for column in ("difference", "low"))
    layers = [
        zero("x"),
        base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=low, x2="high:Q"),
        base.transform_filter("datum.clear").mark_point(filled=True, size=70, opacity=1).encode(x=x),
        base.transform_filter("!datum.clear").mark_point(filled=False, size=70, opacity=1).encode(x=x),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(25))


def _points(column: str, title: str) -> alt.X:
    return alt.X(f"{column}:Q", title=title, axis=alt.Axis(format="+%", tickCount=6))
