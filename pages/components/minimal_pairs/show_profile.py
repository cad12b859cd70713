"""The main chart of an experiment: surprisal along the sentence, one line per condition, the region shaded."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.charts.experiment import along_the_sentence, stacked
from core.studies.experiment import drawing, region
from core.studies.experiment.findings import Findings
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads

SHOWN = 24
"""Positions that a chart shows at once; longer sentences are shown from a place on."""
_MOST_CHARTS = 12
_ROOM = 1.6
"""Intervals are drawn up to so many times the highest mean: those of few sentences would flatten the lines."""


def show_profile(findings: Findings, model: str, facets: Sequence[str], finding: str) -> None:
    """One chart per value of the facets, all on the same scale."""
    profile, design = findings.profile, findings.design
    rows = drawing.lines(profile[profile["model"] == model], design.columns.conditions, facets)
    if rows["surp"].isna().all():
        notices.note("No word of these sentences is scored under these choices.")
        return
    shaded = region.shares(design.sentences, findings.analysis.spill)
    rows = _window(rows, shaded)
    reach = [0.0, min(float(rows[["surp", "high"]].max().max()), _ROOM * float(rows["surp"].max()))]
    names = list(dict.fromkeys(rows["facet"]))
    lines = " · ".join(name for name in design.columns.conditions if name not in facets)
    sides = design.columns.expected, design.columns.unexpected
    charts = [
        along_the_sentence(rows[rows["facet"] == name], shaded, finding, reach, lines, sides)
        for name in names[:_MOST_CHARTS]
    ]
    if len(names) > _MOST_CHARTS:
        notices.note(f"The first {_MOST_CHARTS} of {len(names)} charts: choose fewer conditions to have one each.")
    titles = [f"{' · '.join(facets)}: {name}" for name in names] if facets else names
    _draw(charts, titles, model)
    cut = " Intervals that leave the chart are cut." if rows["high"].max() > reach[1] else ""
    grey = " Grey: the region of interest, paler what follows it." if len(shaded) else ""
    notices.write(f"{_LEGEND}{grey}{cut}", "pl-quiet")
    show_downloads(f"by-position-{model}", rows.drop(columns="surp"), stacked(charts, titles[: len(charts)], finding))


_LEGEND = (
    "Mean surprisal by position, with 95 % intervals over sentences. A position is named by its word, or by its "
    "number where the words differ."
)


def _draw(charts: Sequence[alt.LayerChart], names: Sequence[str], model: str) -> None:
    if len(charts) == 1:
        show_chart(charts[0], f"profile_{model}")
        return
    for place in range(0, len(charts), 2):
        for column, chart, name in zip(
            st.columns(2), charts[place : place + 2], names[place : place + 2], strict=False
        ):
            with column:
                notices.write("$name", "pl-label", name=name)
                show_chart(chart, f"profile_{model}_{name}")


def _window(rows: pd.DataFrame, shaded: pd.DataFrame) -> pd.DataFrame:
    """All positions of short sentences, else those near the region until moved."""
    last = int(rows["position"].max())
    if last < SHOWN:
        return rows
    centre = int(shaded["position"].min()) if len(shaded) else 0
    near = max(0, min(centre - SHOWN // 2, last - SHOWN + 1))
    start = st.slider(
        f"{SHOWN} of {last + 1} positions are drawn, from", 0, last - SHOWN + 1, near, key=f"profile_from_{last}",
        persist_state="session",
    )  # fmt: skip
    return rows[rows["position"].between(start, start + SHOWN - 1)]
