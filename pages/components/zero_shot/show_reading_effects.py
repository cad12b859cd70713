"""Runs on reading times: how many milliseconds a bit of surprisal goes with, other predictors at their means."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.reading_effects import TITLES
from core.charts.run_numbers import partial_effect, partial_effects
from core.metrics import METRICS
from core.runs.result import Result, labels
from core.statistics.regression import PredictivePower
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.zero_shot.resources import reading_effects


def show_reading_effects(results: Sequence[Result]) -> None:
    """The partial-effect plot of all runs, and what it shows in words; nothing for other tasks."""
    names = [str(name) for name in results[0].metrics["name"].unique()]
    asked = tuple(name for name in names if isinstance(METRICS[name], PredictivePower))
    if not asked:
        return
    named = zip(results, labels(results), strict=True)
    tables = [reading_effects(one, asked).assign(model=name) for one, name in named]
    lines = pd.concat(tables, ignore_index=True)
    if lines.empty:
        notices.note("Too few words were scored for a line of surprisal in the regressions.")
        return
    lines = lines.assign(title=lines["measured"].map(TITLES))
    slopes = lines.drop_duplicates(["model", "measured"])
    said = "; ".join(
        f"{row.title.lower()} {row.slope:+.1f} ms per bit ({row.slope_low:.1f} to {row.slope_high:.1f})"
        for row in slopes[slopes["model"] == lines["model"].iloc[0]].itertuples()
    )
    notices.write("<strong>$model</strong>: $said.", model=lines["model"].iloc[0], said=said)
    reach = float(lines["low"].min()), float(lines["high"].max())
    panels = list(lines.groupby("title", sort=False))
    for column, (title, rows) in zip(st.columns(len(panels)), panels, strict=True):
        with column:
            notices.write("$title", "pl-quiet", title=title)
            show_chart(partial_effect(rows, said, reach), f"effects_{title}")
    notices.write(
        "Partial effect of surprisal: milliseconds more than at mean surprisal, with all other predictors of the "
        "regression at their means; bands are 95 %, words of one sentence together ($n words, $c sentences).",
        "pl-quiet", n=f"{slopes['n'].iloc[0]:,}", c=f"{slopes['n_clusters'].iloc[0]:,}",
    )  # fmt: skip
    show_downloads(f"{results[0].manifest['run_id']}-effects", lines, partial_effects(lines, said))
