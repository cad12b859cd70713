"""What an axis shows: a metric's title and its scale."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import pandas as pd

_FIRST_TICK = 0.4


@dataclass(frozen=True, slots=True)
class Measure:
    """What an axis shows: its `title` in words and the `scale` of the metric (`share`, `correlation`, `bits`)."""

    title: str
    scale: str = "share"

    @property
    def format(self) -> str:
        """How a number is written in a tooltip."""
        return ".1%" if self.scale == "share" else ".3f"

    def axis(self, column: str, rows: pd.DataFrame) -> alt.X:
        """Shares from 40 %, or less if there is less, to 100 %; everything else from 0 as far as needed."""
        known = rows[[name for name in ("value", "low", "high", "chance") if name in rows]]
        scale, style = alt.Scale(zero=True), {}
        if self.scale == "share":
            style = {"format": "%"}
            if float(known.max().max()) > _FIRST_TICK:
                scale = alt.Scale(domain=[min(_FIRST_TICK, float(known.min().min())), 1.0], nice=False, zero=False)
        return alt.X(f"{column}:Q", title=self.title, scale=scale, axis=alt.Axis(tickCount=6, **style))
