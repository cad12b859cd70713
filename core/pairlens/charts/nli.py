"""Charts of label systems: which can be judged by which, how models do on data sets, and confusion tables.

A cell is a coloured field with text on it; a click selects it.
"""

import json
from collections.abc import Sequence

import altair as alt
import pandas as pd

from pairlens.charts.named_rows import HEADING, NARROW, folded, labels
from pairlens.charts.style import GREY, A, B, finish, selecting, tooltip

CELL = "cell"
"""Name of the selection made by a click on a cell; it holds `row` and `column`."""

_TINT, _CHOSEN = 0.16, 0.42
_LINE = 16
"""Pixels between the lines of text in a cell."""
_SMALL = alt.ExprRef(f"{NARROW} ? 10 : 12")
_LARGE = alt.ExprRef(f"{NARROW} ? 13 : 16")
_LOOK = {"labelFontSize": _SMALL, "ticks": False, "domain": False, "labelLimit": 150, "titleFontSize": 12}
_BETWEEN = " § "
"""Put between the title of a block and the name of a row in it."""
_FOLD_FROM = 10
"""Length from which a column's name takes two lines."""
_FULL_GAIN = 0.5
"""Macro-F1 above that of the majority at which the colour is strongest."""


def rule_grid(cells: pd.DataFrame, finding: str, titles: tuple[str, str], chosen: tuple[str, str]) -> alt.LayerChart:
    """The table of label systems: a row per system of the data, a column per system of the model.

    `cells`: row, column (titles of systems), classes (codes), kind (how answers are judged), rule (for the tooltip).
    `titles` name rows and columns; `chosen` is the highlighted cell.
    """
    kinds = list(dict.fromkeys(cells["kind"]))
    hue = alt.Color(
        "kind:N", title=None, scale=alt.Scale(domain=kinds, range=[GREY, A, "#7e57c2", B][: len(kinds)]),
        legend=alt.Legend(orient="top", columns=1, labelLimit=340, symbolType="square"),
    )  # fmt: skip
    row, column = chosen
    drawn = cells.assign(
        opacity=((cells["row"] == row) & (cells["column"] == column)).map({True: _CHOSEN, False: _TINT}),
        here=cells["row"] + " × " + cells["column"] + ": " + cells["classes"],
    )
    base = _grid(drawn, titles)
    fields = base.mark_rect(cornerRadius=4).encode(
        color=hue, opacity=alt.Opacity("opacity:Q", scale=None, legend=None)
    )
    text = base.mark_text(fontSize=_SMALL).encode(text=alt.Text("classes:N"))
    about = tooltip(row=titles[0], column=titles[1], rule="a, b")
    return finish(alt.layer(fields, text, _clickable(base, about)), finding, height=alt.Step(38))


def result_grid(cells: pd.DataFrame, finding: str, titles: tuple[str, str]) -> alt.LayerChart:
    """How well models do on data sets: one block per set of classes, a row per data set, a column per model.

    `cells`: classes (a block's title), row, column, value (macro-F1, 0 to 1), gain (above the majority's), shown
    (lines of text, separated by line breaks; the first is large).
    """
    here = cells["row"] + " × " + cells["column"] + ": " + cells["shown"].str.replace("\n", "; ")
    drawn = cells.assign(key=cells["classes"] + _BETWEEN + cells["row"], here=here)
    rows = [
        key
        for classes, block in drawn.groupby("classes", sort=False)
        for key in (HEADING + str(classes), *dict.fromkeys(block["key"]))
    ]
    n_lines = int(drawn["shown"].str.count("\n").max()) + 1
    names = alt.Axis(**labels({key: key.removeprefix(HEADING).rpartition(_BETWEEN)[2] for key in rows}), **_LOOK)
    base = _grid(drawn, titles, rows, "key", names)
    scale = alt.Scale(
        domain=[-_FULL_GAIN, 0, _FULL_GAIN], range=[B, "#b9b6b0", A], clamp=True, interpolate="lab"
    )  # the default goes from grey to blue by way of pink
    fields = base.mark_rect(cornerRadius=4, opacity=0.45).encode(color=alt.Color("gain:Q", scale=scale, legend=None))
    numbers = {"value": ("macro-F1", ".4f"), "gain": ("macro-F1 − majority", "+.4f")}
    about = tooltip(row=titles[0], column=titles[1], **numbers)
    texts = [_line(base, number, n_lines) for number in range(n_lines)]
    layers = alt.layer(fields, *texts, _clickable(base, about))
    return finish(layers, finding, height=alt.Step(_LINE * (n_lines + 1)))


def confusion_grid(counts: pd.DataFrame, finding: str, titles: tuple[str, str]) -> alt.LayerChart:
    """Counts by gold label and answer. `counts`: row, column, n, share (of the row), right (they agree: blue)."""
    base = _grid(counts, titles)
    right = alt.ColorValue(**alt.condition("datum.right", alt.value(A), alt.value(B)))
    fields = base.mark_rect(cornerRadius=4).encode(
        color=right,
        opacity=alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, 0.6]), legend=None),
        tooltip=tooltip(row=titles[0], column=titles[1], n=("n", ","), share=("%", ".1%")),
    )
    numbers = base.mark_text(fontSize=_LARGE).encode(text=alt.Text("n:Q", format=","))
    return finish(alt.layer(fields, numbers), finding, height=alt.Step(44))


def _clickable(base: alt.Chart, about: list[alt.Tooltip]) -> alt.Chart:
    """Invisible cells on top, because fields below text take no click; `here` describes each."""
    click = alt.selection_point(name=CELL, fields=["row", "column"], on="click", empty=False)
    fields = base.mark_rect(opacity=0, cursor="pointer").encode(tooltip=about, description=alt.Description("here:N"))
    return selecting(fields, click)


def _line(base: alt.Chart, number: int, of: int) -> alt.Chart:
    """One of the lines of text in every cell."""
    look = {"fontSize": _SMALL} if number else {"fontSize": _LARGE, "fontWeight": "bold"}
    line = base.transform_calculate(line=f"split(datum.shown, '\\n')[{number}]")
    return line.mark_text(dy=(number - (of - 1) / 2) * _LINE, **look).encode(text=alt.Text("line:N"))


def _grid(
    cells: pd.DataFrame,
    titles: tuple[str, str],
    rows: Sequence[str] = (),
    row: str = "row",
    names: alt.Axis | None = None,
) -> alt.Chart:
    """Cells with a row per value of the column `row`, in the order of `rows`, labelled by the axis `names`."""
    columns = list(dict.fromkeys(cells["column"]))
    rows = list(rows or dict.fromkeys(cells[row]))
    lines = json.dumps({name: folded(name, _FOLD_FROM) for name in columns})
    above = alt.Axis(orient="top", labelExpr=f"{lines}[datum.value]", labelAngle=0, labelOverlap=False, **_LOOK)
    across, down = (alt.Scale(domain=domain, paddingInner=0.06, paddingOuter=0) for domain in (columns, rows))
    return alt.Chart(cells).encode(
        x=alt.X("column:N", title=titles[1], scale=across, axis=above),
        y=alt.Y(f"{row}:N", title=titles[0], scale=down, axis=names or alt.Axis(**_LOOK)),
    )
