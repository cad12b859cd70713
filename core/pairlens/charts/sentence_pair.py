"""Charts of a sentence pair: surprisal by word, and the difference, running and by word."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from pairlens.charts.hues import dashes, hue_and_mark, line_legend, without_legend
from pairlens.charts.style import GREY, SHARED, A, B, apart, finish, legend, positions, selecting, tooltip, zero

WORD = "word"
"""Name of the selection made by a click on a position; it holds `position`."""

_MEMBERS = ["A", "B", "both"]
_HUE = alt.Scale(domain=_MEMBERS, range=[A, B, SHARED])
_MARK = alt.Scale(domain=_MEMBERS, range=["circle", "square", "diamond"])
_NEAR = 0.4
"""Names of places that are nearer, as a share of the width, overlap on a phone."""


def surprisal_by_word(words: pd.DataFrame, finding: str, unit: str = "bits") -> alt.LayerChart:
    """Bars by word: one bar where both sentences share the word, two elsewhere.

    `words`: position (int), label (of the position), member (`A`, `B`, `both`), word, surprisal, probability.
    """
    base = alt.Chart(words).encode(
        x=positions(words),
        y=alt.Y("surprisal:Q", title=f"Surprisal ({unit})", axis=alt.Axis(grid=True, tickCount=5, minExtent=36)),
        color=alt.Color("member:N", scale=_HUE, legend=legend()),
        tooltip=tooltip(
            word="Word",
            member="Sentence",
            surprisal=(f"Surprisal ({unit})", ".3f"),
            probability=("Probability", ".3g"),
        ),
    )
    offset = alt.XOffset("member:N", scale=alt.Scale(domain=["A", "B"], paddingInner=0.12))
    click = alt.selection_point(name=WORD, fields=["position"], on="click", empty=False)
    shared = base.transform_filter("datum.member === 'both'")
    paired = base.transform_filter("datum.member !== 'both'").encode(xOffset=offset)
    shape = alt.Shape("member:N", scale=_MARK, legend=legend())
    layers = [paired.mark_bar(opacity=0.8), paired.mark_point(filled=True, size=70, opacity=1).encode(shape=shape)]
    if (words["member"] == "both").any():
        layers.insert(0, shared.mark_bar(width=alt.RelativeBandSize(0.5), opacity=0.75))
    layers[0] = selecting(layers[0], click)
    return finish(alt.layer(*layers), finding, height=200)


def running_difference(
    steps: pd.DataFrame, finding: str, unit: str = "bits", marks: Mapping[str, int] | None = None
) -> alt.LayerChart:
    """The running difference between the sentences, word by word, from zero.

    `steps`: model, position (int), label, running (A minus B up to here). `marks` names positions.
    """
    several = steps["model"].nunique() > 1
    reach = [1.15 * min(-0.5, steps["running"].min()), 1.15 * max(0.5, steps["running"].max())]
    axis, scale = alt.Axis(grid=False, tickCount=5, minExtent=36), alt.Scale(domain=reach, nice=False)
    y = alt.Y("running:Q", title=f"A ahead of B so far ({unit})", axis=axis, scale=scale)
    models, (by_model, mark) = steps["model"], hue_and_mark("model", steps["model"], "Model")
    hue, line_hue, shape = _sign("running"), alt.ColorValue(GREY), alt.ShapeValue("circle")
    if several:
        hue, line_hue, shape = without_legend(by_model), without_legend(by_model), without_legend(mark)
    base = alt.Chart(steps).encode(x=positions(steps), y=y)
    about = tooltip(model="Model", label="Up to", running=(f"A ahead by ({unit})", "+.3f"))
    line = base.mark_line(strokeWidth=2)
    layers: list[alt.Chart] = [
        zero("y"),
        line.encode(detail=alt.Detail("model:N"), color=line_hue, strokeDash=dashes("model", models)),
        base.mark_point(filled=True, size=60, opacity=1).encode(color=hue, shape=shape, tooltip=about),
        *line_legend(by_model, "model", models, "Model"),
    ]
    if marks:
        layers += _labels(marks, steps["position"])
    return finish(apart(layers), finding, height=150)


def difference_by_word(words: pd.DataFrame, finding: str, unit: str = "bits") -> alt.LayerChart:
    """One diverging bar per position, around zero, for masked models, where every word sees all others.

    `words`: position (int), label, difference (A minus B at this word).
    """
    axis = alt.Axis(grid=False, tickCount=5, minExtent=36)
    bars = alt.Chart(words).mark_bar(width=alt.RelativeBandSize(0.45)).encode(
        x=positions(words),
        y=alt.Y("difference:Q", title=f"A likelier than B by ({unit})", axis=axis),
        color=_sign("difference"),
        tooltip=tooltip(label="Word", difference=(f"A likelier by ({unit})", "+.3f")),
    )  # fmt: skip
    return finish(alt.layer(zero("y"), bars), finding, height=150)


def _labels(marks: Mapping[str, int], positions: pd.Series) -> list[alt.Chart]:
    """Names above the marked positions; on a narrow page one stands a line higher than a near one before it."""
    places, layers, before = list(positions.unique()), [], -1.0
    for position in sorted(set(marks.values())):
        text = " · ".join(name for name, marked in marks.items() if marked == position)
        share = (places.index(position) + 0.5) / len(places)
        align = "left" if share < 0.2 else "right" if share > 0.8 else "center"
        dy = alt.ExprRef("width < 400 ? -18 : -4") if before >= 0 and share - before < _NEAR else -4
        before = share
        row = pd.DataFrame([{"position": position, "mark": text}])
        base = alt.Chart(row).encode(x=alt.X("position:O", title=None))
        label = base.mark_text(align=align, baseline="bottom", dy=dy, fontSize=12, color=GREY)
        layers += [
            base.mark_rule(strokeDash=[2, 3], color=GREY),
            label.encode(text=alt.Text("mark:N"), y=alt.YValue(0)),
        ]
    return layers


def _sign(field: str) -> alt.Color:
    """Blue where A is ahead, orange where B is, grey within the precision of the numbers."""
    ahead = [{"test": f"datum.{field} > 1e-4", "value": A}, {"test": f"datum.{field} < -1e-4", "value": B}]
    return alt.Color(condition=ahead, value=GREY)


def dots(variants: pd.DataFrame, own: float, finding: str, unit: str = "bits") -> alt.LayerChart:
    """A strip of margins: a dot per variant, a ring for the pair's `own`. `variants`: A, B, preferred, margin."""
    side = alt.Scale(domain=["A", "B"], range=[A, B])
    x = alt.X("margin:Q", title=None, axis=alt.Axis(grid=False, tickCount=6))
    base = alt.Chart(variants.assign(side=variants["margin"].gt(0).map({True: "A", False: "B"})))
    points = base.mark_point(filled=True, size=70, opacity=0.6).encode(
        x=x,
        color=alt.Color("side:N", scale=side, legend=None),
        tooltip=tooltip(A="A", B="B", margin=(f"A ahead by ({unit})", ".2f")),
    )
    ring = alt.Chart(pd.DataFrame({"margin": [own]})).mark_point(size=190, strokeWidth=2.5, color=GREY, opacity=1)
    return finish(alt.layer(zero("x"), points, ring.encode(x=x)), finding, height=26)
