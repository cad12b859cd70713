"""A hue, a mark and a line style per name, with their legend: everywhere the same for the place in a list."""

import re
from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from typing import TypeVar

import altair as alt
import pandas as pd

from pairlens.charts.style import GREY, MODELS, A, legend

_STAR = "M0,-1L.25,-.35L.95,-.31L.4,.13L.59,.81L0,.42L-.59,.81L-.4,.13L-.95,-.31L-.25,-.35Z"
_X = "M-.5,-.85L0,-.35L.5,-.85L.85,-.5L.35,0L.85,.5L.5,.85L0,.35L-.5,.85L-.85,.5L-.35,0L-.85,-.5Z"
_MARKS = ("circle", "square", "triangle-up", "cross", "triangle-down", _STAR, _X)
"""One more than the hues, so that forty names differ in one or the other."""
_DASHES = ([1, 0], [6, 3], [2, 2], [7, 3, 2, 3], [9, 4], [4, 2, 1, 2])
GREY_MARKS = ("diamond", "triangle-left", "triangle-right", "triangle-up", "square", "cross")
"""Grey marks are distinguished by these alone."""
_SAMPLE = 28
"""Length of the piece of a line in a legend."""
_ROOM = "(containerSize()[0] - 120)"
"""Width of a chart without the names of its rows."""
Encoded = TypeVar("Encoded", alt.Color | alt.ColorValue, alt.Shape | alt.ShapeValue)
_LETTER, _SYMBOL = 6.5, 32
"""Width of a letter in a legend, and of the space around a name."""


_OUTLINES = {
    mark: re.sub(r"-?[.\d]+", lambda number: f"{float(number[0]) * 0.3:.3f}", path)
    for mark, path in {
        "circle": "M1,0L.92,.38L.71,.71L.38,.92L0,1L-.38,.92L-.71,.71L-.92,.38L-1,0L-.92,-.38L-.71,-.71"
        "L-.38,-.92L0,-1L.38,-.92L.71,-.71L.92,-.38Z",
        "square": "M-.9,-.9L.9,-.9L.9,.9L-.9,.9Z",
        "triangle-up": "M0,-1L1,.8L-1,.8Z",
        "cross": "M-.35,-1L.35,-1L.35,-.35L1,-.35L1,.35L.35,.35L.35,1L-.35,1L-.35,.35L-1,.35L-1,-.35L-.35,-.35Z",
        "triangle-down": "M0,1L1,-.8L-1,-.8Z",
        _STAR: _STAR,
        _X: _X,
    }.items()
}


def hue_and_mark(
    column: str, names: Iterable[str], title: str | None, grey: Sequence[str] = (), listed: Sequence[str] = ()
) -> tuple[alt.Color | alt.ColorValue, alt.Shape | alt.ShapeValue]:
    """A hue and a mark per name, by its place in the list; then those in `grey`. A single name needs no legend.

    The legend has all names, or those `listed`.
    """
    known = list(dict.fromkeys(names))
    if len(known) == 1 and not grey:
        return alt.ColorValue(A), alt.ShapeValue(_MARKS[0])
    hues, marks = hues_of(known), islice(cycle(_MARKS), len(known))
    greys, others = [GREY] * len(grey), islice(cycle(GREY_MARKS), len(grey))
    hue, mark = (alt.Scale(domain=[*known, *grey], range=range_) for range_ in ([*hues, *greys], [*marks, *others]))
    shown = list(listed) or [*known, *grey]
    above = legend(title, values=shown, symbolOpacity=1, labelLimit=280, columns=columns(shown))
    return alt.Color(f"{column}:N", scale=hue, legend=above), alt.Shape(f"{column}:N", scale=mark, legend=above)


def hues_of(names: Sequence[str]) -> list[str]:
    """The hues of these names, as `hue_and_mark` gives them."""
    return [A] if len(names) == 1 else list(islice(cycle(MODELS), len(names)))


def without_legend(hue: Encoded) -> Encoded:
    return hue.legend(None) if isinstance(hue, alt.Color | alt.Shape) else hue


def dashes(column: str, names: Iterable[str]) -> alt.StrokeDash | alt.StrokeDashValue:
    """A line style per name, decided as its hue is; `line_legend` shows it."""
    known = list(dict.fromkeys(names))
    if len(known) == 1:
        return alt.StrokeDashValue(_DASHES[0])
    scale = alt.Scale(domain=known, range=list(islice(cycle(_DASHES), len(known))))
    return alt.StrokeDash(f"{column}:N", scale=scale, legend=None)


def line_legend(
    hue: alt.Color | alt.ColorValue, column: str, names: Iterable[str], title: str | None
) -> list[alt.Chart]:
    """A legend above a chart with a piece of each line and its mark, for `apart`; none for a single name.

    It is a layer without marks, because the legend of a mark shows no line.
    """
    known = list(dict.fromkeys(names))
    if len(known) == 1 or isinstance(hue, alt.ColorValue):
        return []
    looks = zip(islice(cycle(_DASHES), len(known)), islice(cycle(_MARKS), len(known)), strict=True)
    samples = alt.Scale(domain=known, range=[_sample(dash, mark) for dash, mark in looks])
    look = {"symbolOpacity": 1, "symbolSize": _SAMPLE**2, "rowPadding": -6, "offset": 22, "labelLimit": 280}
    above = legend(title, columns=columns(known, _SAMPLE), **look)
    rows = alt.Chart(pd.DataFrame({column: known})).mark_point(filled=True, opacity=0, size=0)
    return [rows.encode(color=hue.legend(above), shape=alt.Shape(f"{column}:N", scale=samples, legend=above))]


def _sample(dash: Sequence[int], mark: str) -> str:
    """A piece of a line with its mark in the middle, as the path of a symbol."""
    path, at, drawn = _OUTLINES.get(mark, mark), -1.0, True
    for length in islice(cycle(dash), 100):
        end = min(1.0, at + length * 2 / _SAMPLE)
        if drawn and length:
            path += f"M{at:.2f},-.06L{end:.2f},-.06L{end:.2f},.06L{at:.2f},.06Z"
        at, drawn = end, not drawn
        if at >= 1:
            break
    return path


def columns(names: Sequence[str], symbol: int = 0) -> alt.ExprRef:
    """As many columns of a legend as there is room for above the chart; `symbol` is how much wider symbols are."""
    widths = [_LETTER * len(name) + _SYMBOL + symbol for name in names]
    return alt.ExprRef(f"{_ROOM} >= {sum(widths)} ? 0 : max(1, floor({_ROOM} / {max(widths)}))")
