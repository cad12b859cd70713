"""A chart as Vega-Lite, or as a drawing made on this machine."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import cast

import altair as alt
from altair.utils import schemapi

from core.charts.drawable import drawable

_PRINTED_WIDTH = 720
_INHERITED = {
    "background": None,
    "axis": {"labelColor": "currentColor", "titleColor": "currentColor", "gridOpacity": 0.25},
    "legend": {"labelColor": "currentColor", "titleColor": "currentColor"},
}
_COMMA = {"decimal": ",", "thousands": "\u202f", "grouping": [3], "currency": ["", ""]}


def specification(chart: alt.TopLevelMixin) -> str:
    """The chart as Vega-Lite, in a width for print where the page had decided."""
    spec = chart.to_dict()
    if not spec.keys() & {"facet", "hconcat", "vconcat"}:
        spec.setdefault("width", _PRINTED_WIDTH)
    return json.dumps(spec, indent=1, ensure_ascii=False)


def svg(chart: alt.TopLevelMixin, *, inherited: bool = False, decimal_comma: bool = False) -> str:
    """The chart as a standalone drawing, made on this machine.

    `inherited`: without a background, words in the colour of the text around it, for a page with a dark theme.
    """
    import vl_convert

    config, locale = _INHERITED if inherited else None, _COMMA if decimal_comma else None
    drawn = drawable(json.loads(specification(chart)))
    return str(vl_convert.vegalite_to_svg(drawn, config=config, format_locale=locale))


def unchecked() -> AbstractContextManager[None]:
    """Inside it charts are written without Altair's validation, which costs a page more than all the rest."""
    return cast(AbstractContextManager[None], schemapi.debug_mode(False))
