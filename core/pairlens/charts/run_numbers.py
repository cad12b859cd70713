"""A run's numbers over training, over temperature, by language, policy and reading time; its items' margins."""

import altair as alt
import numpy as np
import pandas as pd

from pairlens.charts.hues import dashes, hue_and_mark, line_legend, without_legend
from pairlens.charts.named_rows import NARROW, Measure, dots, named_rows
from pairlens.charts.style import GREY, A, B, apart, finish, interval, legend, selecting, tooltip, zero

_HEIGHT = 280


TURNED = "turned"
"""Name of the selection made by a click on a checkpoint; it holds `line` and `checkpoint`."""


def over_training(
    points: pd.DataFrame, finding: str, measure: Measure, axis: str = "Words seen",
    others: pd.DataFrame | None = None, baselines: pd.DataFrame | None = None,
) -> alt.LayerChart:  # fmt: skip
    """One line per group over the words seen in training, on a logarithmic axis, with its interval as a band.

    `points`: line, checkpoint, words (above 0), value, low, high, same_as (of an earlier twin: then hollow).
    `others`, alike, are thin lines behind them; with these, marks can be clicked, and `baselines` (system, value),
    published numbers, are drawn across.
    """
    x = alt.X(
        "words:Q", title=f"{axis} (logarithmic)", scale=alt.Scale(type="log", nice=False), axis=alt.Axis(format="~s")
    )
    about = tooltip(line="Paradigm", checkpoint="Checkpoint", words=(axis, ",d"), **measure.numbers)
    layers = _curve(points, x, measure, about, hollow="datum.same_as", title="Paradigm")
    if others is None or others.empty:
        return finish(apart(layers), finding, height=_HEIGHT)
    every = pd.concat([points, others])
    thin = alt.Chart(others).encode(x=x, y=_y("value", measure, every), detail="line:N")
    click = alt.selection_point(name=TURNED, fields=["line", "checkpoint"], on="click", empty=False, nearest=True)
    dots_of_all = alt.Chart(every).mark_point(filled=True, size=26, color=GREY, opacity=0.7, cursor="pointer")
    behind = [thin.mark_line(color=GREY, strokeWidth=1, opacity=0.35)]
    if baselines is not None and not baselines.empty:
        rules = alt.Chart(baselines).encode(y=_y("value", measure, every), tooltip=tooltip(system="Published"))
        behind.append(rules.mark_rule(color=GREY, strokeDash=[4, 3], opacity=0.7))
    marks = selecting(dots_of_all.encode(x=x, y=_y("value", measure, every), tooltip=about), click)
    return finish(apart([*behind, *layers, marks]), finding, height=_HEIGHT)


def over_temperature(points: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """The number at each temperature: line, temperature, value, low, high, best, which says how it was chosen."""
    x = alt.X("temperature:Q", title="Temperature of the softmax", scale=alt.Scale(zero=False, nice=False))
    about = tooltip(line="Number", temperature=("Temperature", ".3~f"), **measure.numbers)
    chart = finish(
        apart(_curve(points, x, measure, about, hollow="!datum.best", title="Number")), finding, height=_HEIGHT
    )
    best = points[points["best"]].assign(said="highest, chosen on the evaluation data")
    label = alt.Chart(best).mark_text(dy=-14, fontSize=12, color=GREY)
    return chart + label.encode(x=x, y=_y("value", measure, points), text=alt.Text("said:N"))


def _curve(
    points: pd.DataFrame, x: alt.X, measure: Measure, about: list[alt.Tooltip], hollow: str, title: str
) -> list[alt.Chart]:
    """Band, line and marks; marks are hollow where the expression `hollow` holds."""
    hue, shape = hue_and_mark("line", points["line"], title)
    base = alt.Chart(points).encode(x=x, color=without_legend(hue))
    marks = base.encode(y=_y("value", measure, points), shape=without_legend(shape), tooltip=about)
    return [
        base.mark_area(opacity=0.15).encode(y=_y("low", measure, points), y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=2).encode(
            y=_y("value", measure, points), strokeDash=dashes("line", points["line"])
        ),
        marks.transform_filter(f"!({hollow})").mark_point(filled=True, size=70, opacity=1),
        marks.transform_filter(hollow).mark_point(filled=False, size=55, opacity=1),
        *line_legend(hue, "line", points["line"], title),
    ]


def _y(column: str, measure: Measure, points: pd.DataFrame) -> alt.Y:
    style = {"format": "%"} if measure.scale == "share" else {}
    reach = [float(points[["value", "low"]].min().min()), float(points[["value", "high"]].max().max())]
    scale = alt.Scale(domain=reach, zero=False, nice=True)
    return alt.Y(f"{column}:Q", title=measure.title, scale=scale, axis=alt.Axis(tickCount=6, **style))


_STEP = 13
"""Height of a model's line within a row."""


def accuracy_by_language(rows: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """One row per language with a dot and interval per model, grey and hollow where the model cannot read it.

    `rows`: group (the language), model, value, low, high, n, chance, tokens_per_word, unknown, unread.
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
    known, unread = (base.transform_filter(test) for test in ("datum.read", "!datum.read"))
    chance = alt.Chart(drawn.head(1)).mark_rule(strokeDash=[3, 3], color=GREY).encode(x=alt.X("chance:Q"))
    spread, marks = dots(known, x, low or x, hue, shape, about)
    grey, hollow = dots(unread, x, low or x, alt.ColorValue(GREY), without_legend(shape), about, size=60)
    layers = [grey, spread, chance] if low is not None else []
    layers += [hollow.mark_point(filled=False, size=60, opacity=1), marks]
    return finish(apart(layers), finding, height=alt.Step(_STEP if several else 25))


_PANEL_WIDTH, _PANEL_HEIGHT = 170, 190


def partial_effect(lines: pd.DataFrame, finding: str, reach: tuple[float, float]) -> alt.LayerChart:
    """One measured time: model, title, bits, effect, low, high, slope, slope_low, slope_high, n; `reach`: of all."""
    return finish(_panel(lines, reach), finding, height=_PANEL_HEIGHT)


def partial_effects(lines: pd.DataFrame, finding: str) -> alt.HConcatChart:
    """The panels of all times side by side, as one figure."""
    reach = float(lines["low"].min()), float(lines["high"].max())
    panels = [
        _panel(rows, reach).properties(title=str(title), width=_PANEL_WIDTH, height=_PANEL_HEIGHT)
        for title, rows in lines.groupby("title", sort=False)
    ]
    return alt.hconcat(*panels).properties(description=finding)


def _panel(lines: pd.DataFrame, reach: tuple[float, float]) -> alt.LayerChart:
    hue = without_legend(hue_and_mark("model", lines["model"], None)[0])
    x = alt.X("bits:Q", title="Surprisal (bits)", axis=alt.Axis(tickCount=4))
    y = alt.Y("effect:Q", title="Effect (ms)", scale=alt.Scale(domain=reach, nice=True), axis=alt.Axis(tickCount=5))
    about = tooltip(
        model="Model", title="Measure", slope=("Milliseconds per bit", ".2f"),
        slope_low=("95 % interval from", ".2f"), slope_high=("to", ".2f"), n=("Words", ","),
    )  # fmt: skip
    base = alt.Chart(lines).encode(x=x, color=hue, tooltip=about)
    band = base.mark_area(opacity=0.18).encode(y=alt.Y("low:Q", title="Effect (ms)"), y2=alt.Y2("high:Q"))
    return alt.layer(band, base.mark_line(strokeWidth=2).encode(y=y))


ORIGINS = ("this run", "from the same scores", "scored anew")
"""What the legend calls the origins `own`, `query` and `run` (`pairlens.reports.multiverse.numbers`)."""
_SHAPES, _HUES = ("circle", "diamond", "square"), (A, A, B)


def by_policy(numbers: pd.DataFrame, finding: str, measure: Measure) -> alt.LayerChart:
    """One row per policy, in the order given; a dashed line marks the run's own number.

    `numbers`: label, presets, said (of `ORIGINS`), value, low, high, n, ties, ties_count: later rows of a label are
    ticks.
    """
    presets = numbers.groupby("label", sort=False)["presets"].transform(lambda names: ", ".join(filter(None, names)))
    rows = numbers.assign(group=numbers["label"] + (" (" + presets + ")").where(presets != "", ""), section="")
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
    layers = [own, *dots(base, x, measure.axis("low", rows), hue, shape, about)]
    if len(others := rows[rows.duplicated("label")]):
        ties = alt.Chart(others).mark_tick(thickness=2, size=12, color=GREY)
        layers.append(ties.encode(y=y, x=x, tooltip=about))
    return finish(alt.layer(*layers), finding, height=alt.Step(26))


SIDES = ("right", "wrong")


def margin_histogram(
    items: pd.DataFrame, finding: str, unit: str = "bits", sides: tuple[str, str] = SIDES
) -> alt.LayerChart:
    """How many items have which margin. `items`: margin (the first side minus the second)."""
    bins = _margin_bins(items["margin"], sides)
    ahead = f"Margin ({unit}): above 0 the {sides[0]} one is ahead"
    bars = (
        alt.Chart(bins)
        .mark_bar()
        .encode(
            x=alt.X("low:Q", bin="binned", title=ahead),
            x2=alt.X2("high:Q"),
            y=alt.Y("n:Q", title="Items", axis=alt.Axis(tickCount=4, tickMinStep=1, format=",d")),
            color=alt.Color("side:N", legend=legend(), scale=alt.Scale(domain=[*sides, "tie"], range=[A, B, GREY])),
            tooltip=[
                alt.Tooltip("low:Q", title=f"Margin from ({unit})"),
                alt.Tooltip("high:Q", title="to"),
                *tooltip(n=("Items", ","), side="These are"),
            ],
        )
    )
    return finish(alt.layer(bars, zero("x")), finding, height=200)


def _margin_bins(margins: pd.Series, sides: tuple[str, str]) -> pd.DataFrame:
    """Columns low, high, side (one of `sides`, or `tie`), n: about forty bins of a round width, one from 0."""
    width = (margins.max() - margins.min()) / 40 or 1.0
    power = 10.0 ** np.floor(np.log10(width))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= width)
    low = np.floor(margins / step) * step
    low = low.where(margins >= 0, np.minimum(low, -step))
    side = np.select([margins > 0, margins < 0], sides, "tie")
    counts = pd.DataFrame({"low": low.round(6), "side": side}).value_counts(sort=False).rename("n").reset_index()
    return counts.assign(high=(counts["low"] + step).round(6))
