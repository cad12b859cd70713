"""Charts of accuracies: a run beside published figures, its paradigms one by one, the margins of its items.

Same visual language as `core.charts`. Names of paradigms are long: in a narrow window they are folded in two lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

import altair as alt
import numpy as np
import pandas as pd

from core.charts import GREY, A, B, finish, legend, zero

GROUP = "group"
"""Name of the selection that a click on a row makes; it holds `group`."""

_NARROW = "containerSize()[0] < 600"
_FOLD_FROM = 20
_HEADING = "§"
"""Before the name of a section among the rows: no paradigm's name begins with it."""


def accuracy_beside(rows: pd.DataFrame, finding: str) -> alt.LayerChart:
    """A run's accuracy above published ones: one row each, the run's with its interval.

    `rows`: name, value, low, high (0 to 1, NaN for published figures), note, mark: `run`, or for published figures
    `same` if items and tie rule are those of the run, else `other`, which is drawn hollow.
    """
    axis = alt.Axis(labelPadding=8, labelLimit=160, ticks=False, domain=False)
    base = alt.Chart(rows).encode(y=_rows("name", rows["name"], axis))
    tooltip = [
        alt.Tooltip("name:N", title="Who"),
        alt.Tooltip("value:Q", title="Accuracy", format=".1%"),
        alt.Tooltip("note:N", title="What"),
    ]
    dot = base.encode(x=_share("value", rows), tooltip=tooltip)
    layers = [
        _chance(rows),
        base.mark_rule(strokeWidth=2, color=A, opacity=0.55).encode(x=_share("low", rows), x2="high:Q"),
        dot.transform_filter("datum.mark === 'run'").mark_point(filled=True, size=90, color=A, opacity=1),
        dot.transform_filter("datum.mark === 'same'").mark_point(shape="diamond", filled=True, size=80, color=GREY),
        dot.transform_filter("datum.mark === 'other'").mark_point(shape="diamond", filled=False, size=80, color=GREY),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(24))


def accuracy_by_group(groups: pd.DataFrame, finding: str, sections: bool = True) -> alt.LayerChart:
    """One row per group, a dot with its interval, chance marked; a click on a row selects `GROUP`.

    `groups`: group, value, low, high (0 to 1), n, section. Rows are drawn in the order given, under the name of their
    section unless `sections` is false.
    """
    order = _order(groups, sections)
    click = alt.selection_point(name=GROUP, fields=["group"], on="click", empty=False)
    base = alt.Chart(groups).encode(
        y=_rows("group", order, _axis(order)),
        tooltip=[
            alt.Tooltip("group:N", title="Paradigm"),
            alt.Tooltip("section:N", title="Phenomenon"),
            alt.Tooltip("value:Q", title="Pairs right", format=".2%"),
            alt.Tooltip("low:Q", title="95 % interval from", format=".2%"),
            alt.Tooltip("high:Q", title="to", format=".2%"),
            alt.Tooltip("n:Q", title="Pairs", format=","),
        ],
    )
    row = base.mark_bar(height=alt.RelativeBandSize(1), color=A, cursor="pointer").encode(
        x=alt.value(0), x2=alt.value("width"), opacity=alt.condition(click, alt.value(0.14), alt.value(0))
    )
    layers = [  # rows lie on top: what is under them takes no click
        _chance(groups),
        base.mark_rule(strokeWidth=2, color=A, opacity=0.55).encode(x=_share("low", groups), x2="high:Q"),
        base.mark_point(filled=True, size=70, color=A, opacity=1).encode(x=_share("value", groups)),
        row.add_params(click),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(25))


def margin_histogram(items: pd.DataFrame, finding: str, unit: str = "bits") -> alt.LayerChart:
    """How far apart the members of the pairs are, as counts. `items`: margin (right minus wrong)."""
    bins = _margin_bins(items["margin"])
    ahead = f"Margin ({unit}): above 0 the right sentence is ahead"
    bars = (
        alt.Chart(bins)
        .mark_bar()
        .encode(
            x=alt.X("low:Q", bin="binned", title=ahead),
            x2="high:Q",
            y=alt.Y("n:Q", title="Pairs", axis=alt.Axis(tickCount=4, tickMinStep=1, format=",d")),
            color=alt.Color(
                "side:N", legend=legend(), scale=alt.Scale(domain=["right", "wrong", "tie"], range=[A, B, GREY])
            ),
            tooltip=[
                alt.Tooltip("low:Q", title=f"Margin from ({unit})"),
                alt.Tooltip("high:Q", title="to"),
                alt.Tooltip("n:Q", title="Pairs", format=","),
                alt.Tooltip("side:N", title="These are"),
            ],
        )
    )
    return finish(alt.layer(bars, zero("x")), finding, height=200)


def _order(groups: pd.DataFrame, sections: bool) -> Mapping[str, str]:
    """What is written at each row, by the row's key: sections as headings above their groups."""
    if not sections:
        return {name: name for name in groups["group"]}
    rows: dict[str, str] = {}
    for section, members in groups.groupby("section", sort=False)["group"]:
        rows[f"{_HEADING}{section}"] = str(section).replace("_", " ")
        rows.update((name, name) for name in members)
    return rows


def _axis(order: Mapping[str, str]) -> alt.Axis:
    """Names of the rows. They are JSON inside the expression, so that they stay text."""
    wide, narrow = json.dumps(order), json.dumps({key: _folded(name) for key, name in order.items()})
    headings = json.dumps([key for key in order if key.startswith(_HEADING)])
    weight = alt.condition(f"indexof({headings}, datum.value) >= 0", alt.value("bold"), alt.value("normal"))
    return alt.Axis(
        labelExpr=f"({_NARROW} ? {narrow} : {wide})[datum.value]",
        labelFontWeight=weight,
        labelFontSize=alt.ExprRef(f"{_NARROW} ? 10 : 12"),
        labelLimit=400,
        labelPadding=8,
        ticks=False,
        domain=False,
        labelOverlap=False,
    )


def _folded(name: str) -> str | list[str]:
    """A long name in two lines, cut at the underscore nearest to its middle."""
    cuts = [place for place, character in enumerate(name, 1) if character == "_"]
    if len(name) < _FOLD_FROM or not cuts:
        return name
    cut = min(cuts, key=lambda place: abs(place - len(name) / 2))
    return [name[:cut], name[cut:]]


def _rows(column: str, order: Iterable[str], axis: alt.Axis) -> alt.Y:
    return alt.Y(f"{column}:N", scale=alt.Scale(domain=list(order)), title=None, axis=axis)


def _share(column: str, frame: pd.DataFrame) -> alt.X:
    lowest = float(frame[["value", "low"]].min().min())
    scale = alt.Scale(domain=[min(0.4, lowest), 1.0], nice=False, zero=False)
    return alt.X(f"{column}:Q", title="Pairs right", scale=scale, axis=alt.Axis(format="%", tickCount=6))


def _chance(frame: pd.DataFrame) -> alt.Chart:
    """A dashed line where a coin would be."""
    coin = alt.Chart(pd.DataFrame({"value": [0.5], "what": ["a coin"]})).mark_rule(strokeDash=[3, 3], color=GREY)
    return coin.encode(x=_share("value", frame), tooltip=alt.Tooltip("what:N", title="50 %"))


def _margin_bins(margins: pd.Series) -> pd.DataFrame:
    """Columns low, high, side (`right`, `wrong`, `tie`), n: some forty bins of a round width, one beginning at 0."""
    width = (margins.max() - margins.min()) / 40 or 1.0
    power = 10.0 ** np.floor(np.log10(width))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= width)
    low = np.floor(margins / step) * step
    low = low.where(margins >= 0, np.minimum(low, -step))
    side = np.select([margins > 0, margins < 0], ["right", "wrong"], "tie")
    counts = pd.DataFrame({"low": low.round(6), "side": side}).value_counts(sort=False).rename("n").reset_index()
    return counts.assign(high=(counts["low"] + step).round(6))
