"""Charts of where in a network a decision falls: the map of layers and tokens, and the layer ladder.

Shares are blue towards the donor and orange away from it, on a scale that is the same for all maps.
"""

import altair as alt
import pandas as pd

from pairlens.charts.hues import dashes, hue_and_mark, line_legend, without_legend
from pairlens.charts.style import A, B, apart, finish, interval, positions, selecting, tooltip, zero

CELL = "cell"
"""Name of the selection made by a click on a cell; it holds `layer` and `position`."""

_STEP, _LOW = 30, 22
"""Pixels of a layer in a map, and in the map of a control."""
_LETTERS = 2.8
"""Of the number in a cell, at its widest (`100`, `−12`), with room beside it."""
_SMALLEST, _LARGEST = 8, 13
_FULL = 1.0
"""The share at which colours are strongest."""
_SHADE = alt.Scale(domain=[-_FULL, 0, _FULL], range=[B, "rgba(128,128,128,0.14)", A], clamp=True, interpolate="lab")
_BEYOND = "beyond the scale of colours, which ends at 100 %"
_MONOSPACED = "Source Code, monospace"


def state_map(
    cells: pd.DataFrame, finding: str, value: str = "share", chosen: tuple[int, int] | None = None
) -> alt.LayerChart:
    """A row per layer, the embedding (0) at the bottom, and a column per token of the receiver; shares in per cent.

    `cells`: layer, position (int), token (its name), share, and what else there is: donor_token, bits, random,
    unrelated (shares that controls move); of a mean low, high, n and clear (whether its interval excludes the
    controls: those numbers are bold). `value` is the column that is drawn; that of a control is drawn lower. A click
    selects a cell; `chosen` is the layer and the position of one that has a frame.
    """
    layer, position = chosen or (-1, -1)
    drawn = cells.rename(columns={"token": "label"}).assign(
        value=cells[value],
        here=[
            f"layer {layer}, {token}: {'no share' if pd.isna(share) else f'{100 * share:.0f} %'}"
            for layer, token, share in zip(cells["layer"], cells["token"], cells[value], strict=True)
        ],
        beyond=(cells[value].abs() > _FULL + 0.005).map({True: _BEYOND, False: ""}),
        clear=cells.get("clear", False) if value == "share" else False,
        chosen=(cells["layer"] == layer) & (cells["position"] == position),
    )
    base = alt.Chart(drawn).encode(
        x=positions(drawn, 0.95, labelFont=_MONOSPACED, orient="bottom"),
        y=_layers(drawn["layer"]).scale(paddingInner=0.08, paddingOuter=0.04),
    )
    fields = base.mark_rect(cornerRadius=3, opacity=0.7).encode(color=alt.Color("value:Q", scale=_SHADE, legend=None))
    frame = base.mark_rect(cornerRadius=3, filled=False, stroke="currentColor", strokeWidth=2)
    room = f"width / {cells['position'].nunique()}"
    size = alt.ExprRef(f"clamp({room} / {_LETTERS}, {_SMALLEST}, {_LARGEST})")
    numbers = base.encode(text=alt.Text("shown:N")).transform_calculate(
        shown="isValid(datum.value) ? replace(format(datum.value * 100, '.0f'), /^[-−]0$/, '0') : '–'"
    )
    fits = alt.ExprRef(f"{room} < {_SMALLEST} * 2 ? 0 : 1")
    click = alt.selection_point(name=CELL, fields=["layer", "position"], on="click", empty=False)
    layers = [
        fields,
        frame.transform_filter("datum.chosen"),
        numbers.transform_filter("!datum.clear").mark_text(fontSize=size, opacity=fits),
        numbers.transform_filter("datum.clear").mark_text(fontSize=size, fontWeight="bold"),
        # Invisible cells on top, because fields below text take no click; `here` describes each.
        selecting(
            base.mark_rect(opacity=0, cursor="pointer").encode(
                tooltip=_about(drawn), description=alt.Description("here:N")
            ),
            click,
        ),
    ]
    return finish(alt.layer(*layers), finding, height=alt.Step(_STEP if value == "share" else _LOW))


def mean_cells(cells: pd.DataFrame, n: int) -> pd.DataFrame:
    """The cells of one direction of a mean map of `n` items, as `state_map` draws them.

    A cell is clear where its interval overlaps that of neither control.
    """
    controls = [name for name in ("unrelated", "random") if cells[name].notna().any()]
    highest = cells[[f"{name}_high" for name in controls]].max(axis=1)
    lowest = cells[[f"{name}_low" for name in controls]].min(axis=1)
    named = cells.rename(columns={"region": "token", "share_low": "low", "share_high": "high"})
    clear = (named["low"] > highest) | (named["high"] < lowest)
    return named.assign(position=named.groupby("layer").cumcount(), n=n, clear=clear)


def layer_ladder(ladder: pd.DataFrame, finding: str, forms: tuple[str, str]) -> alt.LayerChart:
    """The margin of the first form over the second as each layer would have given it, a line for each beginning.

    `ladder`: beginning, layer, margin (bits), settled (whether the sign no longer changes from here: a large mark).
    """
    names = list(dict.fromkeys(ladder["beginning"]))
    hue, shape = hue_and_mark("beginning", names, None)
    title = f"“{forms[0]}” ahead of “{forms[1]}” (bits)"
    base = alt.Chart(ladder).encode(
        y=_layers(ladder["layer"]),
        x=alt.X("margin:Q", title=title, axis=alt.Axis(tickCount=4, grid=False)),
        color=without_legend(hue),
        shape=without_legend(shape),
        tooltip=tooltip(beginning="After", layer="Layer", margin=(title, "+.2f")),
    )
    line = alt.Chart(ladder).mark_line(strokeWidth=2).encode(
        y=base.encoding.y, x=base.encoding.x, order=alt.Order("layer:Q"), color=without_legend(hue),
        strokeDash=dashes("beginning", names),
    )  # fmt: skip
    layers = [
        zero("x"),
        line,
        base.mark_point(filled=True, size=50, opacity=1),
        base.transform_filter("datum.settled").mark_point(filled=False, size=260, strokeWidth=2, opacity=1),
        *line_legend(hue, "beginning", names, None),
    ]
    return finish(apart(layers), finding, height=alt.Step(_STEP))


def _layers(layers: pd.Series) -> alt.Y:
    title = "Layer (0: embedding)" if layers.min() == 0 else "Layer"
    axis = alt.Axis(ticks=False, domain=False, labelFontSize=12, labelFlush=False)
    return alt.Y("layer:O", title=title, sort="descending", axis=axis)


def _about(cells: pd.DataFrame) -> list[alt.Tooltip]:
    titles: dict[str, str | tuple[str, str]] = {
        "layer": "Layer", "label": "Token", "donor_token": "Its state from", "share": ("Share", ".1%"),
        **interval(".1%"), "bits": ("Moved (bits)", "+.2f"), "random": ("A random direction", ".1%"),
        "unrelated": ("An unrelated donor", ".1%"), "n": ("Items", ","), "beyond": " ",
    }  # fmt: skip
    return tooltip(**{name: about for name, about in titles.items() if name in cells})
