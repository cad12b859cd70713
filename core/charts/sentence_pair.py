"""Charts of two sentences side by side: surprisal by word, who is ahead so far, what was expected at one place."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt
import pandas as pd

from core.charts.style import GREY, MODELS, SHARED, A, B, finish, labelled, legend, positions, zero

WORD = "word"
"""Name of the selection that a click on a position makes; it holds `position`."""

_MEMBERS = ["A", "B", "both"]
_HUE = alt.Scale(domain=_MEMBERS, range=[A, B, SHARED])
_MARK = alt.Scale(domain=_MEMBERS, range=["circle", "square", "diamond"])


def surprisal_by_word(words: pd.DataFrame, finding: str, unit: str = "bits") -> alt.LayerChart:
    """Bars per word: one where both sentences share it, paired ones elsewhere.

    `words`: position (int), label (of the position), member (`A`, `B`, `both`), word, surprisal, probability.
    """
    base = alt.Chart(words).encode(
        x=positions(words),
        y=alt.Y("surprisal:Q", title=f"Surprisal ({unit})", axis=alt.Axis(grid=True, tickCount=5, minExtent=36)),
        color=alt.Color("member:N", scale=_HUE, legend=legend()),
        tooltip=[
            alt.Tooltip("word:N", title="Word"),
            alt.Tooltip("member:N", title="Sentence"),
            alt.Tooltip("surprisal:Q", title=f"Surprisal ({unit})", format=".3f"),
            alt.Tooltip("probability:Q", title="Probability", format=".3g"),
        ],
    )
    offset = alt.XOffset("member:N", scale=alt.Scale(domain=["A", "B"], paddingInner=0.12))
    click = alt.selection_point(name=WORD, fields=["position"], on="click", empty=False)
    shared = base.transform_filter("datum.member === 'both'")
    paired = base.transform_filter("datum.member !== 'both'").encode(xOffset=offset)
    shape = alt.Shape("member:N", scale=_MARK, legend=legend())
    layers = [paired.mark_bar(opacity=0.8), paired.mark_point(filled=True, size=70, opacity=1).encode(shape=shape)]
    if (words["member"] == "both").any():
        layers.insert(0, shared.mark_bar(width=alt.RelativeBandSize(0.5), opacity=0.75))
    layers[0] = layers[0].add_params(click)
    return finish(alt.layer(*layers), finding, height=200)


def running_difference(
    steps: pd.DataFrame, finding: str, unit: str = "bits", marks: Mapping[str, int] | None = None
) -> alt.LayerChart:
    """The difference between the sentences so far, word by word, from zero.

    `steps`: model, position (int), label, running (A ahead of B up to here). `marks` names positions.
    """
    several = steps["model"].nunique() > 1
    x = positions(steps)
    reach = [1.15 * min(-0.5, steps["running"].min()), 1.15 * max(0.5, steps["running"].max())]
    y = alt.Y(
        "running:Q",
        title=f"A ahead of B so far ({unit})",
        axis=alt.Axis(grid=False, tickCount=5, minExtent=36),
        scale=alt.Scale(domain=reach, nice=False),
    )
    hue = (
        alt.Color("model:N", title="Model", scale=alt.Scale(range=list(MODELS)), legend=legend("Model"))
        if several
        else _sign("running")
    )
    base = alt.Chart(steps).encode(x=x, y=y)
    detail = {"detail": "model:N"}
    line_hue: dict[str, object] = {"color": hue} if several else {"color": alt.value(GREY)}
    tooltip = [
        alt.Tooltip("model:N", title="Model"),
        alt.Tooltip("label:N", title="Up to"),
        alt.Tooltip("running:Q", title=f"A ahead by ({unit})", format="+.3f"),
    ]
    layers: list[alt.Chart] = [
        zero("y"),
        base.mark_line(strokeWidth=2).encode(**detail, **line_hue),
        base.mark_point(filled=True, size=60, opacity=1).encode(color=hue, tooltip=tooltip),
    ]
    if marks:
        layers += _labels(marks, steps["position"])
    return finish(alt.layer(*layers), finding, height=150)


def difference_by_word(words: pd.DataFrame, finding: str, unit: str = "bits") -> alt.LayerChart:
    """One diverging bar per position, centred at zero (masked models: every word sees all others).

    `words`: position (int), label, difference (A minus B at this word).
    """
    bars = (
        alt.Chart(words)
        .mark_bar(width=alt.RelativeBandSize(0.45))
        .encode(
            x=positions(words),
            y=alt.Y(
                "difference:Q",
                title=f"A likelier than B by ({unit})",
                axis=alt.Axis(grid=False, tickCount=5, minExtent=36),
            ),
            color=_sign("difference"),
            tooltip=[
                alt.Tooltip("label:N", title="Word"),
                alt.Tooltip("difference:Q", title=f"A likelier by ({unit})", format="+.3f"),
            ],
        )
    )
    return finish(alt.layer(zero("y"), bars), finding, height=150)


def next_pieces(pieces: pd.DataFrame, finding: str) -> alt.LayerChart:
    """What the model expected at one place. `pieces`: rank (int), piece, probability."""
    base = alt.Chart(pieces).encode(
        y=alt.Y(
            "rank:O",
            title=None,
            axis=labelled(pieces, "rank", "piece", labelFont="Source Code, monospace", labelLimit=220),
        ),
        x=alt.X("probability:Q", title="Probability", axis=alt.Axis(format="%", tickCount=4, grid=False)),
        tooltip=[
            alt.Tooltip("piece:N", title="Piece"),
            alt.Tooltip("probability:Q", title="Probability", format=".4f"),
        ],
    )
    bars = base.mark_bar(color=GREY, height=alt.RelativeBandSize(0.6))
    numbers = base.mark_text(align="left", dx=4, color=GREY).encode(text=alt.Text("probability:Q", format=".1%"))
    return finish(alt.layer(bars, numbers), finding, height=28 * len(pieces))


def _labels(marks: Mapping[str, int], positions: pd.Series) -> list[alt.Chart]:
    """Words above the named positions, with a thin rule down to the axis; near its ends they lean inwards."""
    places, layers = list(positions.unique()), []
    for position in sorted(set(marks.values())):
        text = " · ".join(name for name, marked in marks.items() if marked == position)
        share = (places.index(position) + 0.5) / len(places)
        align = "left" if share < 0.2 else "right" if share > 0.8 else "center"
        row = pd.DataFrame([{"position": position, "mark": text}])
        base = alt.Chart(row).encode(x=alt.X("position:O", title=None))
        label = base.mark_text(align=align, baseline="bottom", dy=-4, fontSize=12, color=GREY)
        layers += [base.mark_rule(strokeDash=[2, 3], color=GREY), label.encode(text="mark:N", y=alt.value(0))]
    return layers


def _sign(field: str) -> alt.Color:
    """Blue where A is ahead, orange where B is, grey where the last digits would decide."""
    ahead = [{"test": f"datum.{field} > 1e-4", "value": A}, {"test": f"datum.{field} < -1e-4", "value": B}]
    return alt.Color(condition=ahead, value=GREY)
