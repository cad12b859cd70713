"""Rows of a chart that bear names: of paradigms, under the names of their phenomena.

The names are long: in a narrow window they are smaller and folded in two lines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import altair as alt
import pandas as pd

NARROW = "containerSize()[0] < 600"
"""As an expression of a chart: whether its window is that of a phone."""
_FOLD_FROM = 20
_HEADING = "§"
"""Before the name of a section among the rows: no paradigm's name begins with it."""


def named_rows(groups: pd.DataFrame, sections: bool = True) -> alt.Y:
    """The axis of a chart with one row per `group`, in the order given, with `sections` under their `section`."""
    order = _order(groups, sections)
    return alt.Y("group:N", scale=alt.Scale(domain=list(order)), title=None, axis=_axis(order))


def _order(groups: pd.DataFrame, sections: bool) -> Mapping[str, str]:
    """What is written at each row, by the row's key: sections as headings above their groups, if they say more."""
    if not sections or groups["group"].equals(groups["section"]):
        return {name: name for name in groups["group"]}
    rows: dict[str, str] = {}
    for section, members in groups.groupby("section", sort=False)["group"]:
        rows[f"{_HEADING}{section}"] = str(section).replace("_", " ")
        rows.update((name, name) for name in members)
    return rows


def _axis(order: Mapping[str, str]) -> alt.Axis:
    """Names of the rows. They are JSON inside the expression, so that they stay text."""
    wide, narrow = json.dumps(order), json.dumps({key: folded(name) for key, name in order.items()})
    headings = json.dumps([key for key in order if key.startswith(_HEADING)])
    weight = alt.condition(f"indexof({headings}, datum.value) >= 0", alt.value("bold"), alt.value("normal"))
    return alt.Axis(
        labelExpr=f"({NARROW} ? {narrow} : {wide})[datum.value]",
        labelFontWeight=weight,
        labelFontSize=alt.ExprRef(f"{NARROW} ? 10 : 12"),
        labelLimit=400,
        labelPadding=8,
        ticks=False,
        domain=False,
        labelOverlap=False,
    )


def folded(name: str, longest: int = _FOLD_FROM) -> str | list[str]:
    """A name of `longest` letters or more in two lines, cut at the underscore or space nearest to its middle."""
    cuts = [place for place, character in enumerate(name, 1) if character in "_ "]
    if len(name) < longest or not cuts:
        return name
    cut = min(cuts, key=lambda place: abs(place - len(name) / 2))
    return [name[:cut], name[cut:]]
