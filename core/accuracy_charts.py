"""Charts of a benchmark's numbers: runs beside published figures, paradigm by paradigm, and two runs' differences.

Same visual language as `core.charts`. Every model has a hue and a mark of its own. What was published is grey: filled
where it is about the same items and ties, hollow otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

import altair as alt
import pandas as pd

from core.chart_rows import NARROW, named_rows
from core.charts import GREY, MODELS, A, B, finish, legend, zero

GROUP = "group"
"""Name of the selection that a click on a row makes; it holds `group`."""

_MARKS = ("circle", "square", "triangle-up", "cross")
"""One less than there are hues, so that twenty models differ in one or the other."""
_FIRST_TICK = 0.4
_COLUMNS = alt.ExprRef(f"{NARROW} ? 1 : 0")
"""Of a legend: one below the other in a narrow window, else side by side."""
_LETTER, _SYMBOL = 7, 32
"""Width of a letter in a legend, and of what stands before and after a name there."""
_PUBLISHED_MARKS = ("diamond", "triangle-left", "triangle-right", "triangle-up", "square", "cross")


@dataclass(frozen=True, slots=True)
class Measure:
    """What an axis shows: its `title` in words and the `scale` of the metric (`share`, `correlation`, `bits`)."""

    title: str
    scale: str = "share"

    @property
    def format(self) -> str:
        """How a number is written in a tooltip."""
        return ".1%" if self.scale == "share" else ".3f"

    def axis(self, column: str, rows: pd.DataFrame) -> alt.X:
        """Shares from 40 %, or less if there is less, to 100 %; everything else from 0 as far as needed."""
        known = rows[[name for name in ("value", "low", "high", "chance") if name in rows]]
        scale, style = alt.Scale(zero=True), {}
        if self.scale == "share":
            style = {"format": "%"}
            if float(known.max().max()) > _FIRST_TICK:
                scale = alt.Scale(domain=[min(_FIRST_TICK, float(known.min().min())), 1.0], nice=False, zero=False)
        return alt.X(f"{column}:Q", title=self.title, scale=scale, axis=alt.Axis(tickCount=6, **style))


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
    quiet = hue if isinstance(hue, dict) else hue.legend(None)
    base = alt.Chart(groups).encode(y=y)
    spread = base.mark_rule(strokeWidth=2, opacity=0.55)
    dots = base.mark_point(filled=True, size=70, opacity=1)
    layers = [
        *_chance(groups, measure, y),
        spread.encode(x=measure.axis("low", groups), x2="high:Q", color=quiet),
        *_published_dots(published, y, measure.axis("value", groups)),
        dots.encode(x=measure.axis("value", groups), shape=shape, color=hue),
        _clickable(groups, published, y, measure),
    ]
    apart = alt.layer(*layers).resolve_scale(shape="independent", color="independent")
    return finish(apart, finding, height=alt.Step(25))


def hue_and_mark(
    column: str, names: Iterable[str], title: str | None, grey: Sequence[str] = (), listed: Sequence[str] = ()
) -> tuple[alt.Color | dict[str, str], alt.Shape | dict[str, str]]:
    """A hue and a mark per name, always the same for the same place in the list; one name needs no legend.

    Those in `grey` follow, in grey and with marks of their own. The legend has all names, or those `listed`.
    """
    known = list(dict.fromkeys(names))
    if len(known) == 1 and not grey:
        return alt.value(A), alt.value(_MARKS[0])
    hues, marks = (islice(cycle(range_), len(known)) for range_ in ((A,) if len(known) == 1 else MODELS, _MARKS))
    greys, others = [GREY] * len(grey), islice(cycle(_PUBLISHED_MARKS), len(grey))
    hue, mark = (alt.Scale(domain=[*known, *grey], range=range_) for range_ in ([*hues, *greys], [*marks, *others]))
    said = list(listed) or [*known, *grey]
    columns = _columns(said)
    above = alt.Legend(**legend(title).to_dict(), values=said, symbolOpacity=1, labelLimit=280, columns=columns)
    return alt.Color(f"{column}:N", scale=hue, legend=above), alt.Shape(f"{column}:N", scale=mark, legend=above)


def _columns(names: Sequence[str]) -> alt.ExprRef:
    """Of a legend of these names: below each other in a narrow window; in rows of three where one would not do."""
    needed = sum(_LETTER * len(name) + _SYMBOL for name in names)
    return alt.ExprRef(f"{NARROW} ? 1 : containerSize()[0] < {needed} ? 3 : 0")


def _published_dots(published: pd.DataFrame, y: alt.Y, x: alt.X) -> list[alt.Chart]:
    """Grey marks, one shape per system: filled if they may share the axis, else hollow."""
    if published.empty:
        return []
    systems = list(dict.fromkeys(published["system"]))
    scale = alt.Scale(domain=systems, range=[*_PUBLISHED_MARKS][: len(systems)])
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
