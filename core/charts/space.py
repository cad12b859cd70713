"""A chart of the store's disk usage: scores by model and task, and everything else."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.named_rows import named_rows
from core.charts.style import GREY, MODELS, finish, tooltip

_ROW = 30


def room(rows: pd.DataFrame, finding: str) -> alt.LayerChart:
    """One bar per row. `rows`: group (a model, or another kind of data), task (empty unless scores), bytes."""
    drawn = rows.assign(megabytes=rows["bytes"] / 1e6, section="")
    tasks = [task for task in drawn["task"].unique() if task]
    hues = [MODELS[number % len(MODELS)] for number, _ in enumerate(tasks)]
    bars = (
        alt.Chart(drawn)
        .mark_bar(height={"band": 0.7})
        .encode(
            y=named_rows(drawn, sections=False),
            x=alt.X("megabytes:Q", title="MB", axis=alt.Axis(tickCount=6), stack=True),
            color=alt.Color("task:N", scale=alt.Scale(domain=[*tasks, ""], range=[*hues, GREY]), legend=None),
            tooltip=tooltip(group="What", task="Benchmark", megabytes=("MB", ",.1f")),
        )
    )
    return finish(alt.layer(bars), finding, height=alt.Step(_ROW))
