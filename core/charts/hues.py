"""A hue and a mark per name, with their legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle, islice

import altair as alt

from core.charts.named_rows import NARROW
from core.charts.style import GREY, MODELS, A, legend

_MARKS = ("circle", "square", "triangle-up", "cross")
"""One fewer than the hues, so that twenty models differ in one or the other."""
GREY_MARKS = ("diamond", "triangle-left", "triangle-right", "triangle-up", "square", "cross")
"""Grey marks are distinguished by these alone."""
_LETTER, _SYMBOL = 7, 32
"""Width of a letter in a legend, and of the space around a name."""


def hue_and_mark(
    column: str, names: Iterable[str], title: str | None, grey: Sequence[str] = (), listed: Sequence[str] = ()
) -> tuple[alt.Color | dict[str, str], alt.Shape | dict[str, str]]:
    """A hue and a mark per name, decided by its place in the list; a single name needs no legend.

    The names in `grey` follow, in grey and with marks of their own. The legend has all names, or those `listed`.
    """
    known = list(dict.fromkeys(names))
    if len(known) == 1 and not grey:
        return alt.value(A), alt.value(_MARKS[0])
    hues, marks = (islice(cycle(range_), len(known)) for range_ in ((A,) if len(known) == 1 else MODELS, _MARKS))
    greys, others = [GREY] * len(grey), islice(cycle(GREY_MARKS), len(grey))
    hue, mark = (alt.Scale(domain=[*known, *grey], range=range_) for range_ in ([*hues, *greys], [*marks, *others]))
    shown = list(listed) or [*known, *grey]
    above = legend(title, values=shown, symbolOpacity=1, labelLimit=280, columns=_columns(shown))
    return alt.Color(f"{column}:N", scale=hue, legend=above), alt.Shape(f"{column}:N", scale=mark, legend=above)


def without_legend(hue: alt.Color | dict[str, str]) -> alt.Color | dict[str, str]:
    """The same hues without a second legend."""
    return hue if isinstance(hue, dict) else hue.legend(None)


def _columns(names: Sequence[str]) -> alt.ExprRef:
    """How many columns a legend has: one in a narrow window, three where one row would be too long."""
    needed = sum(_LETTER * len(name) + _SYMBOL for name in names)
    return alt.ExprRef(f"{NARROW} ? 1 : containerSize()[0] < {needed} ? 3 : 0")
