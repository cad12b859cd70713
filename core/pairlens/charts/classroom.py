"""A class against a model: every step by the class's share and the model's margin."""

import altair as alt
import pandas as pd

from pairlens.charts.hues import columns
from pairlens.charts.style import GREY, A, B, finish, legend, tooltip, zero

_OUTCOMES = {
    "both err": ("#b5527d", "triangle-down"),
    "only the class errs": (A, "circle"),
    "only the model errs": (B, "square"),
    "neither errs": (GREY, "triangle-up"),
}
"""Hue and mark by value of `pairlens.studies.classroom.shares.outcome`."""


def class_against_model(steps: pd.DataFrame, finding: str, model: str) -> alt.LayerChart:
    """A mark with its number for each step: right of the middle most of the class are right, above 0 the model is.

    `steps`: step, class_share (of the expected choice, 0 to 1), margin_bits, outcome, a, votes.
    """
    counts = steps["outcome"].value_counts()
    named = {name: f"{name} ({counts.get(name, 0)})" for name in _OUTCOMES}
    drawn = steps.assign(who=steps["outcome"].map(named), number=steps["step"].astype(str))
    hues, marks = ([look[part] for look in _OUTCOMES.values()] for part in (0, 1))
    domain = list(named.values())
    above = legend(None, symbolOpacity=1, columns=columns(domain), labelLimit=280)
    base = alt.Chart(drawn).encode(
        x=alt.X(
            "class_share:Q", title="Share of the class with the expected choice", scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format="%", tickCount=4),
        ),
        y=alt.Y("margin_bits:Q", title=f"Margin of {model} (bits)", axis=alt.Axis(tickCount=6)),
        tooltip=tooltip(
            number="Step", a="Sentence", who="Here", class_share=("Share of the class", ".0%"), votes=("Votes", ","),
            margin_bits=("Margin (bits)", "+.2f"),
        ),
    )  # fmt: skip
    points = base.mark_point(filled=True, size=110, opacity=0.85).encode(
        color=alt.Color("who:N", scale=alt.Scale(domain=domain, range=hues), legend=above),
        shape=alt.Shape("who:N", scale=alt.Scale(domain=domain, range=marks), legend=above),
    )
    numbers = base.mark_text(dx=12, dy=-8, fontSize=13).encode(text=alt.Text("number:N"))
    half = alt.Chart(pd.DataFrame({"half": [0.5]})).mark_rule(color=GREY).encode(x=alt.X("half:Q"))
    return finish(alt.layer(zero("y"), half, points, numbers), finding, height=340)
