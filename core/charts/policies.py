"""A number under every policy: one row each, with its interval and where it comes from.

The run's own policy is a blue circle; queries on its scores are blue diamonds; rescored policies are orange squares.
"""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.measure import Measure
from core.charts.named_rows import NARROW, named_rows
from core.charts.style import GREY, A, B, finish, legend, tooltip

ORIGINS = ("this run", "from the same scores", "scored anew")
"""What the legend calls the origins `own`, `query` and `run` (`core.reports.multiverse.numbers`)."""
_SHAPES, _HUES = ("circle", "diamond", "square"), (A, A, B)


def by_policy(numbers: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """One row per policy, in the order given; a dashed line marks the run's own number.

    `numbers`: label, presets, said (one of `ORIGINS`), value, low, high, n, ties, ties_count. Rows with the same
    label differ in the tie rule; the interval is that of the first.
    """
    rows = numbers.assign(group=_with_presets(numbers), section="")
    first = ~rows.duplicated("label")
    y = named_rows(rows[first], sections=False)
    base = alt.Chart(rows[first]).encode(y=y)
    there = [place for place, origin in enumerate(ORIGINS) if (rows["said"] == origin).any()]
    domain = [ORIGINS[place] for place in there]
    hues, shapes = [_HUES[place] for place in there], [_SHAPES[place] for place in there]
    above = legend(columns=alt.ExprRef(f"{NARROW} ? 1 : {len(ORIGINS)}"))
    hue = alt.Color("said:N", scale=alt.Scale(domain=domain, range=hues), legend=above)
    shape = alt.Shape("said:N", scale=alt.Scale(domain=domain, range=shapes), legend=above)
    x = measure.axis("value", rows)
    counts = {"n": ("Items", ","), "ties": ("Ties", ",")}
    about = tooltip(
        label="Policy", presets="Presets", said="From", **measure.numbers, **counts, ties_count="A tie counts"
    )
    own = alt.Chart(rows.head(1)).mark_rule(strokeDash=[3, 3], color=GREY).encode(x=x)
    layers = [
        own,
        base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=measure.axis("low", rows), x2="high:Q", color=hue),
        base.mark_point(filled=True, size=80, opacity=1).encode(x=x, color=hue, shape=shape, tooltip=about),
    ]
    if len(others := rows[rows.duplicated("label")]):
        ties = alt.Chart(others).mark_tick(thickness=2, size=12, color=GREY)
        layers.append(ties.encode(y=y, x=x, tooltip=about))
    return finish(alt.layer(*layers), finding, height=alt.Step(26))


def _with_presets(numbers: pd.DataFrame) -> pd.Series:
    """The names of the rows: each policy, with the presets that equal it up to the tie rule."""
    named = numbers.groupby("label", sort=False)["presets"].transform(lambda names: ", ".join(filter(None, names)))
    return numbers["label"] + (" (" + named + ")").where(named != "", "")
