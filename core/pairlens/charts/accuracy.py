"""Charts of a benchmark's numbers: beside published figures, by paradigm, whole test sets.

Every model has a hue and a mark of its own. Published figures are grey; only those of the same items, rule and ties
are drawn (`pairlens.analysis.published`).
"""

import altair as alt
import pandas as pd

from pairlens.charts.hues import GREY_MARKS, hue_and_mark, without_legend
from pairlens.charts.named_rows import NARROW, Measure, dots, named_rows
from pairlens.charts.style import GREY, A, apart, clickable, finish, tooltip

GROUP = "group"
"""Name of the selection made by a click on a row; it holds `group`."""

_COLUMNS = alt.ExprRef(f"{NARROW} ? 1 : 0")
"""Columns of a legend: one in a narrow window, else as many as there are names."""
_NONE = pd.DataFrame(columns=["group", "system", "value"])
_OF_MODEL = 13
"""Height of a model's line within a row, where there are several."""


def accuracy_beside(rows: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """Runs with their intervals above published figures, one row each.

    `rows`: name, value, low, high (NaN for figures), chance, note, mark (`run`, or `same` for figures; no others).
    """
    axis = alt.Axis(labelPadding=8, labelLimit=260, ticks=False, domain=False)
    base = alt.Chart(rows).encode(
        y=alt.Y("name:N", scale=alt.Scale(domain=list(rows["name"])), title=None, axis=axis)
    )
    about = tooltip(name="Who", value=(measure.title, measure.format), note="What")
    x, low = (measure.axis(column, rows) for column in ("value", "low"))
    hue, shape = map(without_legend, hue_and_mark("name", rows.loc[rows["mark"] == "run", "name"], None))
    same = base.transform_filter("datum.mark === 'same'").encode(x=x, tooltip=about)
    layers = [
        *measure.chance(rows),
        *dots(base.transform_filter("datum.mark === 'run'"), x, low, hue, shape, about, size=90),
        same.mark_point(shape="diamond", filled=True, size=80, color=GREY),
    ]
    return finish(apart(layers), finding, height=alt.Step(24))


def accuracy_by_group(
    groups: pd.DataFrame, finding: str, measure: Measure, published: pd.DataFrame = _NONE, sections: bool = True
) -> alt.LayerChart:
    """One row per group with a dot and interval per model, and chance; a click on a row selects `GROUP`.

    `groups`: model, group, value, low, high, chance, n, section, in their order, with `sections` under their names;
    `published` (group, system, value) is drawn in the same rows.
    """
    y = named_rows(groups, sections)
    hue, shape = hue_and_mark("model", groups["model"], "Model")
    models = list(dict.fromkeys(groups["model"]))
    beside = {"yOffset": alt.YOffset("model:N", scale=alt.Scale(domain=models))} if len(models) > 1 else {}
    base = alt.Chart(groups).encode(y=y, **beside)
    x, low = (measure.axis(column, groups) for column in ("value", "low"))
    layers = [
        *measure.chance(groups, y),
        *_published_dots(published, y, x),
        *dots(base, x, low, hue, shape),
        _details(groups, published, y, measure),
    ]
    return finish(apart(layers), finding, height=alt.Step(_OF_MODEL if beside else 25))


def _published_dots(published: pd.DataFrame, y: alt.Y, x: alt.X) -> list[alt.Chart]:
    if published.empty:
        return []
    systems = list(dict.fromkeys(published["system"]))
    scale = alt.Scale(domain=systems, range=[*GREY_MARKS][: len(systems)])
    below = alt.Legend(title="Published", orient="bottom", labelFontSize=13, columns=_COLUMNS)
    marks = alt.Chart(published).mark_point(size=55, color=GREY, filled=True, opacity=1)
    return [marks.encode(x=x, y=y, shape=alt.Shape("system:N", scale=scale, legend=below))]


def _details(groups: pd.DataFrame, published: pd.DataFrame, y: alt.Y, measure: Measure) -> alt.Chart:
    """Clickable rows, each with a tooltip that lists its dots."""
    rows = groups.drop_duplicates("group")[["group", "section", "n"]].set_index("group", drop=False)
    rows["here"] = measure.listed(groups, "model")
    rows["published"] = measure.listed(published, "system")
    about = tooltip(group="Paradigm", section="Phenomenon", here=measure.title, n=("Items", ","))
    about += tooltip(published="Published") if len(published) else []
    bars = alt.Chart(rows).mark_bar(height=alt.RelativeBandSize(1), color=A, cursor="pointer")
    return clickable(bars.encode(x=alt.XValue(0), x2=alt.X2Value("width"), y=y, tooltip=about), GROUP)


_SHARE = Measure("Right")
_BY_ORIGIN = alt.Shape(
    "published:N", scale=alt.Scale(domain=[False, True], range=["diamond", "triangle-up"]), legend=None
)


def reached(rows: pd.DataFrame, others: pd.DataFrame, finding: str) -> alt.LayerChart:
    """One row per test set: a dot with its interval, a tick at chance, grey marks for others on the same items.

    `rows`: set, value, low, high, chance, items, policy; `others`: set, name, value, published (or a simple rule).
    Shares.
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
        *dots(base, _SHARE.axis("value", spans), _SHARE.axis("low", spans), alt.ColorValue(A), about=about, size=90),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(28))
