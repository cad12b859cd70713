"""What an axis shows: the title and the scale of a metric."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import pandas as pd

from core.charts.style import interval

_FIRST_TICK = 0.4


@dataclass(frozen=True, slots=True)
class Measure:
    """The `title` of an axis, and the `scale` of the metric on it (`share`, `correlation` or `bits`)."""

    title: str
    scale: str = "share"

    @property
    def format(self) -> str:
        """How a number is written in a tooltip."""
        return ".1%" if self.scale == "share" else ".3f"

    @property
    def numbers(self) -> dict[str, tuple[str, str]]:
        """The columns `value`, `low` and `high`, for `core.charts.style.tooltip`."""
        return {"value": (self.title, self.format), **interval(self.format)}

    def listed(self, rows: pd.DataFrame, who: str, value: str = "value") -> pd.Series:
        """By group, as text: `english-small 83.1%; unigram-english 55.0%`, with intervals where there are any."""
        numbers = {
            name: rows[name].map(f"{{:{self.format}}}".format) for name in (value, "low", "high") if name in rows
        }
        lines = rows[who].astype(str) + " " + numbers[value].astype(str)
        if "low" in numbers:
            spread = " (" + numbers["low"].astype(str) + " to " + numbers["high"].astype(str) + ")"
            lines += spread.where(rows["low"].notna(), "")
        return lines.groupby(rows["group"], sort=False).agg("; ".join)

    def axis(self, column: str, rows: pd.DataFrame) -> alt.X:
        """Shares from 40 %, or from the least below, to 100 %; everything else from 0 as far as needed."""
        known = rows[[name for name in ("value", "low", "high", "chance") if name in rows]]
        scale, style = alt.Scale(zero=True), {}
        if self.scale == "share":
            style = {"format": "%"}
            if float(known.max().max()) > _FIRST_TICK:
                scale = alt.Scale(domain=[min(_FIRST_TICK, float(known.min().min())), 1.0], nice=False, zero=False)
        return alt.X(f"{column}:Q", title=self.title, scale=scale, axis=alt.Axis(tickCount=6, **style))
