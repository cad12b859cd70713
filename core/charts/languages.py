"""Charts over languages: accuracy in each, and beside it what the model's tokenizer makes of its words."""

from __future__ import annotations

import altair as alt
import pandas as pd

from core.charts.hues import hue_and_mark, without_legend
from core.charts.measure import Measure
from core.charts.named_rows import named_rows
from core.charts.style import GREY, apart, finish, interval, tooltip

_STEP = 13
"""Height of a model's line within a row."""


def accuracy_by_language(rows: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """One row per language with a dot and interval per model, grey and hollow where the model cannot read it.

    `rows`: group (the language), model, value, low, high, n, chance, tokens_per_word, unknown, unread. Rows keep
    their order.
    """
    about = tooltip(
        group="Language", model="Model", value=(measure.title, measure.format), **interval(measure.format),
        n=("Items", ","), tokens_per_word=("Tokens per word", ".2f"), unknown=("Unknown letters", ".0%"),
    )  # fmt: skip
    return _dots(rows, finding, measure.axis("value", rows), about, measure.axis("low", rows))


def tokens_by_language(rows: pd.DataFrame, finding: str) -> alt.LayerChart:
    """Tokens per word in each language, a dot per model, in the same order and looks."""
    x = alt.X("tokens_per_word:Q", title="Tokens per word", axis=alt.Axis(tickCount=5))
    about = tooltip(
        group="Language",
        model="Model",
        tokens_per_word=("Tokens per word", ".2f"),
        unknown=("Unknown letters", ".0%"),
    )
    return _dots(rows.dropna(subset=["tokens_per_word"]), finding, x, about)


def _dots(
    rows: pd.DataFrame, finding: str, x: alt.X, about: list[alt.Tooltip], low: alt.X | None = None
) -> alt.LayerChart:
    drawn = rows.assign(read=rows["unread"] == "", section=rows["group"])
    models = list(dict.fromkeys(rows["model"]))
    hue, shape = hue_and_mark("model", models, "Model")
    if low is None:  # the chart beside it has the legend
        hue, shape = without_legend(hue), without_legend(shape)
    several = len(models) > 1
    beside = {"yOffset": alt.YOffset("model:N", scale=alt.Scale(domain=models))} if several else {}
    base = alt.Chart(drawn).encode(y=named_rows(drawn, sections=False), **beside)
    grey = base.transform_filter("!datum.read")
    layers = []
    if low is not None:
        layers += [
            grey.mark_rule(strokeWidth=2, opacity=0.4, color=GREY).encode(x=low, x2="high:Q"),
            base.transform_filter("datum.read")
            .mark_rule(strokeWidth=2, opacity=0.55)
            .encode(x=low, x2="high:Q", color=without_legend(hue)),
            alt.Chart(drawn.head(1)).mark_rule(strokeDash=[3, 3], color=GREY).encode(x="chance:Q"),
        ]
    layers += [
        grey.mark_point(filled=False, size=60, opacity=1, color=GREY).encode(
            x=x, shape=without_legend(shape), tooltip=about
        ),
        base.transform_filter("datum.read")
        .mark_point(filled=True, size=70, opacity=1)
        .encode(x=x, color=hue, shape=shape, tooltip=about),
    ]
    return finish(apart(layers), finding, height=alt.Step(_STEP if several else 25))
