"""Rows labelled with paradigms, grouped by phenomenon.

The names are long: in a narrow window they are smaller and take two lines.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

NARROW = "containerSize()[0] < 600"
"""Vega expression: whether the window is as narrow as a phone's."""
_FOLD_FROM = 20
HEADING = "§"
"""Put before the name of a section among the rows; no paradigm's name begins with it."""


def named_rows(groups: pd.DataFrame, sections: bool = True) -> alt.Y:
    """The axis of a chart with one row per `group`, in the order given; with `sections`, under their `section`."""
    order = _order(groups, sections)
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
        return {name: name for name in groups["group"]}
    rows: dict[str, str] = {}
    for section, members in groups.groupby("section", sort=False)["group"]:
        rows[f"{HEADING}{section}"] = str(section).replace("_", " ")
        rows.update((name, name) for name in members)
    return rows


def labels(names: Mapping[str, str]) -> dict[str, Any]:
    """Options of an axis that shows these names, by key. As JSON inside the expression they stay text."""
    wide, narrow = json.dumps(names), json.dumps({key: folded(name) for key, name in names.items()})
    headings = json.dumps([key for key in names if key.startswith(HEADING)])
    weight = alt.condition(f"indexof({headings}, datum.value) >= 0", alt.value("bold"), alt.value("normal"))
    folds = json.dumps([key for key, name in names.items() if isinstance(folded(name), list)])
    centred = alt.condition(
        f"{NARROW} && indexof({folds}, datum.value) >= 0", alt.value("bottom"), alt.value("middle")
    )  # fmt: skip
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
