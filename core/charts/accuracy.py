"""Charts of a benchmark's numbers: beside published figures, by paradigm, two runs' differences, whole test sets.

Every model has a hue and a mark of its own. Published figures are grey; only those of the same items, rule and ties
are drawn (`core.analysis.published`).
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.hues import GREY_MARKS, hue_and_mark, without_legend
from core.charts.named_rows import NARROW, Measure, named_rows
from core.charts.style import GREY, A, B, apart, clickable, finish, interval, tooltip, zero

GROUP = "group"
"""Name of the selection made by a click on a row; it holds `group`."""

_OF_RUNS = "datum.mark === 'run'"
_COLUMNS = alt.ExprRef(f"{NARROW} ? 1 : 0")
"""Columns of a legend: one in a narrow window, else as many as there are names."""
_OF_MODEL = 13
"""Height of a model's line within a row, where there are several."""


def accuracy_beside(rows: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """Runs above published figures: one row each, the runs with their intervals.

    `rows`: name, value, low, high (NaN for published figures), chance, note, mark: `run`, or `same` for published
    figures of the same items, rule and ties; others must not be among them.
    """
    axis = alt.Axis(labelPadding=8, labelLimit=260, ticks=False, domain=False)
    runs = rows[rows["mark"] == "run"]["name"]
    hue, shape = (without_legend(one) for one in hue_and_mark("name", runs, None))
    base = alt.Chart(rows).encode(
        y=alt.Y("name:N", scale=alt.Scale(domain=list(rows["name"])), title=None, axis=axis)
    )
    about = tooltip(name="Who", value=(measure.title, measure.format), note="What")
    dot = base.encode(x=measure.axis("value", rows), tooltip=about)
    hue, shape = map(without_legend, hue_and_mark("name", rows.loc[rows["mark"] == "run", "name"], None))
    layers = [
        *_chance(rows, measure),
        base.transform_filter(_OF_RUNS)
        .mark_rule(strokeWidth=2, opacity=0.55)
        .encode(x=measure.axis("low", rows), x2="high:Q", color=hue),
        dot.transform_filter(_OF_RUNS).mark_point(filled=True, size=90, opacity=1).encode(color=hue, shape=shape),
        dot.transform_filter("datum.mark === 'same'").mark_point(shape="diamond", filled=True, size=80, color=GREY),
    ]
    return finish(apart(layers), finding, height=alt.Step(24))


def accuracy_by_group(
    groups: pd.DataFrame, finding: str, measure: Measure, published: pd.DataFrame, sections: bool = True
) -> alt.LayerChart:
    """One row per group with a dot and interval per model, and chance; a click on a row selects `GROUP`.

    `groups`: model, group, value, low, high, chance, n, section. Rows keep their order; they stand under the names of
    their sections unless `sections` is false. `published` (group, system, value) is drawn in the same rows.
    """
    y = named_rows(groups, sections)
    hue, shape = hue_and_mark("model", groups["model"], "Model")
    models = list(dict.fromkeys(groups["model"]))
    beside = {"yOffset": alt.YOffset("model:N", scale=alt.Scale(domain=models))} if len(models) > 1 else {}
    base = alt.Chart(groups).encode(y=y, **beside)
    spread = base.mark_rule(strokeWidth=2, opacity=0.55)
    dots = base.mark_point(filled=True, size=70, opacity=1)
    layers = [
        *_chance(groups, measure, y),
        spread.encode(x=measure.axis("low", groups), x2="high:Q", color=without_legend(hue)),
        *_published_dots(published, y, measure.axis("value", groups)),
        dots.encode(x=measure.axis("value", groups), shape=shape, color=hue),
        _details(groups, published, y, measure),
    ]
    return finish(apart(layers), finding, height=alt.Step(_OF_MODEL if beside else 25))


def _published_dots(published: pd.DataFrame, y: alt.Y, x: alt.X) -> list[alt.Chart]:
    """Grey marks, one shape per system."""
    if published.empty:
        return []
    systems = list(dict.fromkeys(published["system"]))
    scale = alt.Scale(domain=systems, range=[*GREY_MARKS][: len(systems)])
    below = alt.Legend(title="Published", orient="bottom", labelFontSize=13, columns=_COLUMNS)
    dots = (
        alt.Chart(published)
        .mark_point(size=55, color=GREY, filled=True, opacity=1)
        .encode(x=x, y=y, shape=alt.Shape("system:N", scale=scale, legend=below))
    )
    return [dots]


def _details(groups: pd.DataFrame, published: pd.DataFrame, y: alt.Y, measure: Measure) -> alt.Chart:
    """Clickable rows, each with a tooltip that lists its dots."""
    rows = groups.drop_duplicates("group")[["group", "section", "n"]].set_index("group", drop=False)
    rows["here"] = measure.listed(groups, "model")
    rows["published"] = measure.listed(published, "system")
    about = tooltip(group="Paradigm", section="Phenomenon", here=measure.title, n=("Items", ","))
    about += tooltip(published="Published") if len(published) else []
    bars = alt.Chart(rows).mark_bar(height=alt.RelativeBandSize(1), color=A, cursor="pointer")
    return clickable(bars.encode(x=alt.value(0), x2=alt.value("width"), y=y, tooltip=about), GROUP)


def _chance(rows: pd.DataFrame, measure: Measure, y: alt.Y | None = None) -> list[alt.Chart]:
    """A dashed line at chance or, where chance differs between the rows along `y`, a tick in each."""
    known = rows.dropna(subset=["chance"])
    if known.empty:
        return []
    x, about = measure.axis("chance", rows), alt.Tooltip("chance:Q", title="A blind guess", format=measure.format)
    if y is not None and known["chance"].nunique() > 1:
        return [alt.Chart(known).mark_tick(thickness=2, color=GREY).encode(x=x, y=y)]
    return [alt.Chart(known.head(1)).mark_rule(strokeDash=[3, 3], color=GREY).encode(x=x, tooltip=about)]


def difference_by_group(
    groups: pd.DataFrame, finding: str, names: tuple[str, str], hues: tuple[str, str] = (A, B)
) -> alt.LayerChart:
    """One model minus another, group by group, in the hue of whichever is ahead.

    `groups`: group, section, difference, low, high (-1 to 1, as a share), n, p_holm (p-value with Holm's correction).
    The mark is filled if the interval excludes 0, else hollow.
    """
    rows = groups.assign(clear=(groups["low"] > 0) | (groups["high"] < 0))
    title = f"{names[0]} ahead of {names[1]}"
    ahead = alt.Color(condition=[{"test": "datum.difference > 0", "value": hues[0]}], value=hues[1])
    base = alt.Chart(rows).encode(
        y=named_rows(groups),
        color=ahead,
        tooltip=tooltip(
            group="Paradigm",
            difference=(title, "+.1%"),
            **interval("+.1%"),
            n=("Items", ","),
            p_holm=("p (Holm)", ".2g"),
        ),
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


_SHARE = Measure("Right")
_BY_ORIGIN = alt.Shape(
    "published:N", scale=alt.Scale(domain=[False, True], range=["diamond", "triangle-up"]), legend=None
)


def reached(rows: pd.DataFrame, others: pd.DataFrame, finding: str) -> alt.LayerChart:
    """One row per test set: a dot with its interval, a tick at chance, grey marks for others on the same items.

    `rows`: set, value, low, high, chance, items, policy; `others`: set, name, value, published (true for a published
    model, false for a simple rule). All numbers are shares.
    """
    drawn, beside = (table.rename(columns={"set": "group"}) for table in (rows, others))
    y = named_rows(drawn, sections=False)
    spans = pd.concat([drawn[["value", "low", "high", "chance"]], beside[["value"]]])
    base = alt.Chart(drawn).encode(y=y)
    about = tooltip(group="Test set", **_SHARE.numbers, items=("Items", ","), policy="How")
    chance = tooltip(chance=("A blind guess", ".1%"))
    who = tooltip(name="Who", value=("Right", ".1%"))
    layers = [
        base.mark_tick(thickness=2, color=GREY).encode(x=_SHARE.axis("chance", spans), tooltip=chance),
        alt.Chart(beside)
        .mark_point(filled=True, size=70, color=GREY, opacity=1)
        .encode(y=y, x=_SHARE.axis("value", spans), shape=_BY_ORIGIN, tooltip=who),
        base.mark_rule(strokeWidth=2, color=A, opacity=0.55).encode(x=_SHARE.axis("low", spans), x2="high:Q"),
        base.mark_point(filled=True, size=90, color=A, opacity=1).encode(
            x=_SHARE.axis("value", spans), tooltip=about
        ),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(28))
