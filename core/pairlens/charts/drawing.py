"""A chart as Vega-Lite, or as a drawing made on this machine."""

import json
import re
from functools import partial
from typing import Any

import altair as alt

Chart = alt.TopLevelMixin
"""Any chart of Altair's."""
_PRINTED_WIDTH = 720
_INHERITED = {
    "background": None,
    "axis": {"labelColor": "currentColor", "titleColor": "currentColor", "gridOpacity": 0.25},
    "legend": {"labelColor": "currentColor", "titleColor": "currentColor"},
}
COMMA = {"decimal": ",", "thousands": "\u202f", "grouping": [3], "currency": ["", ""]}
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u00[01][0-9a-fA-F]|u[fF]{3}[eEfF]|[bf])")
"""The same inside an expression, where texts are JSON."""
EXPRESSIONS = ("labelExpr", "expr", "test")


def specification(chart: alt.TopLevelMixin) -> str:
    """The chart as Vega-Lite; a chart as wide as its page gets a width for print."""
    spec = chart.to_dict(validate=False)
    if not spec.keys() & {"facet", "hconcat", "vconcat"}:
        spec.setdefault("width", _PRINTED_WIDTH)
    return json.dumps(spec, indent=1, ensure_ascii=False)


def wide(chart: alt.TopLevelMixin) -> alt.TopLevelMixin:
    """The chart with a width for print if it has none: Altair's own is narrow."""
    single = isinstance(chart, alt.Chart | alt.LayerChart) and chart.width is alt.Undefined
    return chart.properties(width=_PRINTED_WIDTH) if single else chart


def svg(chart: alt.TopLevelMixin, *, inherited: bool = False, decimal_comma: bool = False) -> str:
    """The chart as a standalone drawing; `inherited`: no background, words in the colour of the text around."""
    import vl_convert

    config, locale = _INHERITED if inherited else None, COMMA if decimal_comma else None
    drawn = drawable(json.loads(specification(chart)))
    return str(vl_convert.vegalite_to_svg(drawn, config=config, format_locale=locale))


def unchecked(chart: alt.TopLevelMixin) -> alt.TopLevelMixin:
    """The chart, written without Altair's validation from now on: it takes a third of a page's time."""
    unvalidated = partial(chart.to_dict, validate=False)
    object.__setattr__(chart, "to_dict", unvalidated)  # Altair's own would add a property to the drawing
    return chart


def drawable(part: Any, key: str = "") -> Any:
    """A specification, or its part under this key, with a replacement for control characters.

    XML cannot hold them: they would end the whole process that draws the chart.
    """
    if isinstance(part, dict):
        return {name: drawable(value, name) for name, value in part.items()}
    if isinstance(part, list):
        return [drawable(value, key) for value in part]
    if not isinstance(part, str):
        return part
    clean = _UNFIT.sub("\ufffd", part)
    return _ESCAPED.sub("\\1\ufffd", clean) if key in EXPRESSIONS else clean
