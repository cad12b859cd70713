"""A number under every policy: one row each, with its interval, told apart by where it is from.

Same visual language as `core.charts`. The run's own policy is a blue circle; queries on its scores are blue diamonds;
what was scored anew is an orange square.
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.measure import Measure
from core.charts.named_rows import NARROW, named_rows
from core.charts.style import GREY, A, B, finish, legend

ORIGINS = ("this run", "from the same scores", "scored anew")
"""What the legend calls the origins `own`, `query` and `run` (`core.reports.multiverse.numbers`)."""
_SHAPES, _HUES = ("circle", "diamond", "square"), (A, A, B)


def by_policy(numbers: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """One row per policy, in the order given; a dashed line where the run's own number is.

    `numbers`: label, presets, said (one of `ORIGINS`), value, low, high, n, ties, ties_count. Rows of one label
    differ in the tie rule; the interval drawn is that of the first.
    """
    rows = numbers.assign(group=_with_presets(numbers), section="")
    first = ~rows.duplicated("label")
    y = named_rows(rows[first], sections=False)
    base = alt.Chart(rows[first]).encode(y=y)
    there = [place for place, origin in enumerate(ORIGINS) if (rows["said"] == origin).any()]
    domain = [ORIGINS[place] for place in there]
    hues, shapes = [_HUES[place] for place in there], [_SHAPES[place] for place in there]
    hue = alt.Color("said:N", scale=alt.Scale(domain=domain, range=hues), legend=_legend())
    shape = alt.Shape("said:N", scale=alt.Scale(domain=domain, range=shapes), legend=_legend())
    x = measure.axis("value", rows)
    tooltip = [
        alt.Tooltip("label:N", title="Policy"),
        alt.Tooltip("presets:N", title="Presets"),
        alt.Tooltip("said:N", title="From"),
        alt.Tooltip("value:Q", title=measure.title, format=measure.format),
        alt.Tooltip("low:Q", title="95 % interval from", format=measure.format),
        alt.Tooltip("high:Q", title="to", format=measure.format),
        alt.Tooltip("n:Q", title="Items", format=","),
        alt.Tooltip("ties:Q", title="Ties", format=","),
        alt.Tooltip("ties_count:N", title="A tie counts"),
    ]
    own = alt.Chart(rows.head(1)).mark_rule(strokeDash=[3, 3], color=GREY).encode(x=x)
    layers = [
        own,
        base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=measure.axis("low", rows), x2="high:Q", color=hue),
        base.mark_point(filled=True, size=80, opacity=1).encode(x=x, color=hue, shape=shape, tooltip=tooltip),
    ]
    if len(others := rows[rows.duplicated("label")]):
        ties = alt.Chart(others).mark_tick(thickness=2, size=12, color=GREY)
        layers.append(ties.encode(y=y, x=x, tooltip=tooltip))
    return finish(alt.layer(*layers), finding, height=alt.Step(26))


def _legend() -> alt.Legend:
    """Above the chart, one under the other where three do not fit side by side."""
    above = legend()
    above["columns"] = alt.ExprRef(f"{NARROW} ? 1 : {len(ORIGINS)}")
    return above


def _with_presets(numbers: pd.DataFrame) -> pd.Series:
    """The names of the rows: a policy, and the presets that are it under any tie rule."""
    named = numbers.groupby("label", sort=False)["presets"].transform(lambda names: ", ".join(filter(None, names)))
    return numbers["label"] + (" (" + named + ")").where(named != "", "")
