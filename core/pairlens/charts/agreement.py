"""Charts of an agreement set: how often a model is right, group by group, and choosers that do not know the head.

Every model has a hue and a mark of its own; choosers that do not look at the head are grey lines across the group,
each with a line style of its own.
"""

import json

import altair as alt
import pandas as pd

from pairlens.analysis.agreement import BESIDE
from pairlens.charts.hues import hue_and_mark, without_legend
from pairlens.charts.named_rows import NARROW, Measure, named_rows
from pairlens.charts.style import GREY, A, apart, clickable, finish, tooltip

GROUP = "group"
"""Name of the selection made by a click on a group; it holds `group`."""

_CHANCE = 0.5
_STYLES = ([6, 3], [2, 2], [1, 0])
_APART = 3
"""Pixels between lines of choosers that are right equally often."""
_RIGHT = Measure("Items right")
_ALONE = "the heuristic alone"
_WHOLE = alt.RelativeBandSize(0.8)
_IF_WIDE = alt.ExprRef(f"{NARROW} ? 0 : 1")
_STEP = 18
"""Pixels per place within a row."""


def accuracy_by_group(rows: pd.DataFrame, title: str, finding: str) -> alt.LayerChart:
    """A dot with its interval per group and model, n under each group; the dashed line is a blind guess.

    `rows`: of each model (`who`) one of the tables by group of `pairlens.analysis.agreement.AgreementNumbers`. The
    choosers are those of the first model. `title` names the groups. A click on a group selects `GROUP`.
    """
    models = list(rows["who"].unique())
    choosers = _choosers(rows[rows["who"] == models[0]])
    x = alt.X("group:N", title=title, scale=alt.Scale(domain=list(dict.fromkeys(rows["group"]))), axis=_counted(rows))
    offset = alt.XOffset("who:N", scale=alt.Scale(domain=models, paddingOuter=1))
    hue, shape = hue_and_mark("who", models, None)
    base = alt.Chart(rows).encode(x=x, xOffset=offset)
    guess = alt.Chart(pd.DataFrame({"guess": [_CHANCE], "named": ["a blind guess"]})).encode(y=alt.Y("guess:Q"))
    label = guess.mark_text(align="left", baseline="bottom", dx=3, dy=-3, fontSize=11, color=GREY, opacity=_IF_WIDE)
    layers = [
        guess.mark_rule(strokeDash=[3, 3], color=GREY),
        label.encode(x=alt.XValue(0), text=alt.Text("named:N")),
        *_lines(choosers, x),
        _spread(base).encode(y=_share("low"), y2=alt.Y2("high:Q"), color=without_legend(hue)),
        base.mark_point(filled=True, size=80, opacity=1).encode(y=_share("share"), color=hue, shape=shape),
        _details(pd.concat([rows, choosers]), x, title),
    ]
    return finish(apart(layers), finding, height=260)


def accuracy_of_heuristics(rows: pd.DataFrame, overall: pd.DataFrame, finding: str) -> alt.LayerChart:
    """How often each heuristic is right, a grey line, and how often each model is right where the heuristic is wrong.

    The area around a grey line is its interval; a dashed line marks each model's share of all items. `rows`: the
    table `heuristics` of each model (`who`); `overall`: who, n, share (of all items).
    """
    models = list(overall["who"])
    first = rows[rows["who"] == models[0]].rename(columns={"title": "group"})
    alone = first[["group", "n", "share", "low", "high"]].assign(who=_ALONE)
    columns = {"title": "group", "n_wrong": "n", "model_share": "share", "model_low": "low", "model_high": "high"}
    drawn = rows[rows["n_wrong"] > 0][["who", *columns]].rename(columns=columns)
    y = named_rows(alone, sections=False)
    offset = alt.YOffset("who:N", scale=alt.Scale(domain=models, paddingOuter=1))
    hue, shape = hue_and_mark("who", models, None)
    reach = pd.concat([drawn[["share", "low", "high"]], alone[["share", "low", "high"]], overall[["share"]]]).rename(
        columns={"share": "value"}
    )
    about = tooltip(who="Who", n=("Items", ","), share=(_RIGHT.title, _RIGHT.format))
    base = alt.Chart(drawn).encode(y=y, yOffset=offset, tooltip=about)
    lines = alt.Chart(overall).mark_rule(strokeWidth=1.5, strokeDash=[6, 3])
    heuristics = alt.Chart(alone).encode(y=y, tooltip=about)
    band = heuristics.transform_filter("isValid(datum.low)").mark_bar(color=GREY, opacity=0.22, height=_WHOLE)
    layers = [
        band.encode(x=_RIGHT.axis("low", reach), x2=alt.X2("high:Q")),
        heuristics.mark_tick(thickness=3, color=GREY, height=_WHOLE).encode(x=_RIGHT.axis("share", reach)),
        lines.encode(x=_RIGHT.axis("share", reach), color=without_legend(hue), tooltip=about),
        _spread(base).encode(x=_RIGHT.axis("low", reach), x2=alt.X2("high:Q"), color=without_legend(hue)),
        base.mark_point(filled=True, size=80, opacity=1).encode(
            x=_RIGHT.axis("share", reach), color=hue, shape=shape
        ),
    ]
    step = alt.Step(_STEP * (1 + len(models)), **{"for": "position"})
    return finish(apart(layers), finding, height=step)


def _choosers(table: pd.DataFrame) -> pd.DataFrame:
    known = {name: title for name, title in BESIDE.items() if name in table}
    rows = [table[["group", "n"]].assign(who=title, share=table[name]) for name, title in known.items()]
    return pd.concat([table[["group", "n", "who", "share"]].head(0), *rows]).dropna(subset=["share"])


def _lines(choosers: pd.DataFrame, x: alt.X) -> list[alt.Chart]:
    """A line across the group for each chooser, side by side where several are right equally often."""
    names = list(dict.fromkeys(choosers["who"]))
    styles = alt.Scale(domain=names, range=list(_STYLES[: len(names)]))
    look = {"symbolType": "stroke", "symbolSize": 400, "symbolStrokeWidth": 2, "symbolStrokeColor": GREY}
    look |= {"orient": "bottom", "labelFontSize": 13, "columns": alt.ExprRef(f"{NARROW} ? 1 : 3")}
    dash = alt.StrokeDash("who:N", scale=styles, legend=alt.Legend(title=None, **look))
    begin, end = x.copy(), alt.X2("group:N", bandPosition=0.97)
    begin["bandPosition"] = 0.03
    alike = choosers.groupby(["group", "share"])["who"]
    offsets = _APART * (alike.cumcount() - (alike.transform("size") - 1) / 2)
    return [
        alt.Chart(rows)
        .mark_rule(strokeWidth=2, color=GREY, yOffset=offset)
        .encode(x=begin, x2=end, y=_share("share"), strokeDash=dash)
        for offset, rows in choosers.groupby(offsets, sort=True)
    ]


def _spread(base: alt.Chart) -> alt.Chart:
    return base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2, opacity=0.55)


def _share(column: str) -> alt.Y:
    axis = alt.Axis(format="%", tickCount=5, grid=True)
    return alt.Y(f"{column}:Q", title=_RIGHT.title, scale=alt.Scale(domain=[0, 1], nice=False), axis=axis)


def _counted(rows: pd.DataFrame) -> alt.Axis:
    """Groups above their numbers of items; in a narrow window names are shorter."""
    wide, narrow = {}, {}
    for group, n in rows.groupby("group", sort=False)["n"]:
        count = f"n = {n.min():,}" + (f" to {n.max():,}" if n.max() > n.min() else "")
        wide[group] = [group, count]
        narrow[group] = [str(group).replace(" to ", "–").replace(" or more", "+"), count]
    return alt.Axis(
        labelExpr=f"({NARROW} ? {json.dumps(narrow)} : {json.dumps(wide)})[datum.value]",
        labelFontSize=alt.ExprRef(f"{NARROW} ? 11 : 13"),
        labelAngle=0,
        labelPadding=6,
        labelOverlap=False,
        ticks=False,
        domain=False,
    )


def _details(drawn: pd.DataFrame, x: alt.X, title: str) -> alt.Chart:
    """Clickable columns, each with a tooltip that lists its marks."""
    columns = pd.DataFrame({"here": _RIGHT.listed(drawn, "who", "share")}).reset_index()
    columns["n"] = columns["group"].map(drawn.groupby("group", sort=False)["n"].max())
    about = tooltip(group=title, here=_RIGHT.title, n=("Items", ","))
    bars = alt.Chart(columns).mark_bar(width=alt.RelativeBandSize(1), color=A, cursor="pointer")
    return clickable(bars.encode(x=x, y=alt.YValue(0), y2=alt.Y2Value("height"), tooltip=about), GROUP)
