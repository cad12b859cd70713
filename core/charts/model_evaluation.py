"""A chart of a model's results on whole test sets, with chance, simple rules and published figures."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.measure import Measure
from core.charts.named_rows import named_rows
from core.charts.style import GREY, A, finish, tooltip

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
