"""Axes: rows labelled with long names, under headings and in two lines where it is narrow; what an axis measures."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd

from pairlens.charts.hues import without_legend
from pairlens.charts.style import GREY, interval, tooltip

NARROW = "containerSize()[0] < 600"
"""Vega expression: whether the window is as narrow as a phone's."""
_FOLD_FROM = 20
HEADING = "§"
"""Put before the name of a section among the rows; no paradigm's name begins with it."""


def named_rows(groups: pd.DataFrame, sections: bool = True, *, verbatim: bool = False) -> alt.Y:
    """The axis of a chart with one row per `group`, in the order given; with `sections`, under their `section`.

    Underscores of names are spaces unless they are to be `verbatim`.
    """
    order = {key: name if verbatim else name.replace("_", " ") for key, name in _order(groups, sections).items()}
    axis = alt.Axis(
        **labels(order),
        labelFontSize=alt.ExprRef(f"{NARROW} ? 10 : 12"),
        labelLimit=400,
        labelPadding=8,
        ticks=False,
        domain=False,
        labelOverlap=False,
    )
    return alt.Y("group:N", scale=alt.Scale(domain=list(order)), title=None, axis=axis)


def _order(groups: pd.DataFrame, sections: bool) -> Mapping[str, str]:
    """The label of each row by its key; sections become headings above their groups unless they are the groups."""
    if not sections or groups["group"].equals(groups["section"]):
        return {str(name): str(name) for name in groups["group"]}
    rows: dict[str, str] = {}
    for section, members in groups.groupby("section", sort=False)["group"]:
        rows[f"{HEADING}{section}"] = str(section)
        rows.update((str(name), str(name)) for name in members)
    return rows


def labels(names: Mapping[str, str]) -> dict[str, Any]:
    """Options of an axis that shows these names, by key. As JSON inside the expression they stay text."""
    wide, narrow = json.dumps(names), json.dumps({key: folded(name) for key, name in names.items()})
    headings = json.dumps([key for key in names if key.startswith(HEADING)])
    weight = alt.condition(f"indexof({headings}, datum.value) >= 0", alt.value("bold"), alt.value("normal"))
    folds = json.dumps([key for key, name in names.items() if isinstance(folded(name), list)])
    centred = alt.condition(
        f"{NARROW} && indexof({folds}, datum.value) >= 0", alt.value("bottom"), alt.value("middle")
    )
    return {
        "labelExpr": f"({NARROW} ? {narrow} : {wide})[datum.value]", "labelFontWeight": weight,
        "labelBaseline": centred,
    }  # fmt: skip


def folded(name: str, longest: int = _FOLD_FROM) -> str | list[str]:
    """A name of `longest` letters or more in two lines, cut at the underscore or space nearest its middle."""
    cuts = [place for place, character in enumerate(name, 1) if character in "_ "]
    if len(name) < longest or not cuts:
        return name
    cut = min(cuts, key=lambda place: abs(place - len(name) / 2))
    return [name[:cut], name[cut:]]


def dots(
    base: alt.Chart,
    x: alt.X,
    low: alt.X,
    hue: Any,
    shape: Any = alt.Undefined,
    about: Any = alt.Undefined,
    size: int = 70,
) -> list[alt.Chart]:
    """Intervals, from `low` to the column `high`, and on each a dot, which has the legend."""
    spread = base.mark_rule(strokeWidth=2, opacity=0.55).encode(x=low, x2=alt.X2("high:Q"), color=without_legend(hue))
    return [
        spread,
        base.mark_point(filled=True, size=size, opacity=1).encode(x=x, color=hue, shape=shape, tooltip=about),
    ]


_FIRST_TICK = 0.4


@dataclass(frozen=True, slots=True)
class Measure:
    """The `title` of an axis, and the `scale` of the metric on it (`share`, `correlation` or `bits`)."""

    title: str
    scale: str = "share"

    @property
    def format(self) -> str:
        return ".1%" if self.scale == "share" else ".3f"

    @property
    def numbers(self) -> dict[str, tuple[str, str]]:
        """The columns `value`, `low` and `high`, for `pairlens.charts.style.tooltip`."""
        return {"value": (self.title, self.format), **interval(self.format)}

    def listed(self, rows: pd.DataFrame, who: str, value: str = "value") -> pd.Series:
        """By group, as text: `english-small 83.1%; unigram-english 55.0%`, with intervals where there are any."""
        numbers = {
            name: rows[name].map(f"{{:{self.format}}}".format) for name in (value, "low", "high") if name in rows
        }
        lines = rows[who].astype(str) + " " + numbers[value].astype(str)
        if "low" in numbers:
            spread = " (" + numbers["low"].astype(str) + " to " + numbers["high"].astype(str) + ")"
            lines += spread.where(rows["low"].notna(), "")
        return lines.groupby(rows["group"], sort=False).agg("; ".join)

    def chance(self, rows: pd.DataFrame, y: alt.Y | None = None) -> list[alt.Chart]:
        """A dashed line at chance; where it differs between the rows a tick in each along `y`, if given."""
        known, x = rows.dropna(subset=["chance"]), self.axis("chance", rows)
        if known["chance"].nunique() > 1 and y is not None:
            return [alt.Chart(known).mark_tick(thickness=2, color=GREY).encode(x=x, y=y)]
        if known["chance"].nunique() != 1:
            return []
        about = tooltip(chance=("A blind guess", self.format))
        return [alt.Chart(known.head(1)).mark_rule(strokeDash=[3, 3], color=GREY).encode(x=x, tooltip=about)]

    def axis(self, column: str, rows: pd.DataFrame) -> alt.X:
        """Shares from 40 %, or from the least below, to 100 %; everything else from 0 as far as needed."""
        known = rows[[name for name in ("value", "low", "high", "chance") if name in rows]]
        scale, style = alt.Scale(zero=True), {}
        if self.scale == "share":
            style = {"format": "%"}
            if float(known.max().max()) > _FIRST_TICK:
                scale = alt.Scale(domain=[min(_FIRST_TICK, float(known.min().min())), 1.0], nice=False, zero=False)
        return alt.X(f"{column}:Q", title=self.title, scale=scale, axis=alt.Axis(tickCount=6, **style))
