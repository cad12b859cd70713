"""A chart as a figure for print, laid out anew at its width on paper: SVG, PDF, or PNG at 300 dpi."""

import json
import math
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import altair as alt

from pairlens.charts.drawing import COMMA, EXPRESSIONS, drawable
from pairlens.charts.hues import columns

WIDTHS = (8.5, 17.5)
"""Centimetres of one and of two columns of a page."""
NARROWEST, WIDEST = 5.0, 50.0
DPI = 300
_PER_CM = 72 * 1.5 / 2.54
"""Units of a chart per centimetre: its letters of 12 to 13.5 units are 8 to 9 points high on paper."""
_SMALLEST, _LARGEST, _TITLE = 12, 13.5, 13.5
_LETTER = 7
_POINTS = 72 / 96
"""vl-convert writes the units of SVG, 96 to the inch, as the points of PDF, 72 to the inch."""
_FONT = "Arial, Liberation Sans, Helvetica, sans-serif"
_PRINT: Mapping[str, Any] = {
    "font": _FONT, "background": "white", "padding": 2,
    "axis": {"labelFontSize": 12, "titleFontSize": 13, "labelColor": "black", "titleColor": "black"},
    "legend": {"labelFontSize": 12, "titleFontSize": 12, "labelColor": "black", "titleColor": "black"},
    "header": {"labelFontSize": 12, "titleFontSize": 13}, "text": {"fontSize": 12},
    "title": {"fontSize": _TITLE, "anchor": "start", "fontWeight": "bold", "offset": 10},
}  # fmt: skip
_SIZE = re.compile('<svg([^>]*?) width="([0-9.]+)" height="([0-9.]+)"')
_CENTIMETRES = re.compile('((?:width|height)=)"([0-9.]+)cm"')
_TRIES = 4


@dataclass(frozen=True, slots=True)
class Look:
    """What its author decides about a figure: width in centimetres, title, names by the names in the chart."""

    width: float = WIDTHS[0]
    title: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    positions: Mapping[str, str] = field(default_factory=dict)
    decimal_comma: bool = False


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a chart that may be replaced: of conditions, models and rows, and of positions by their number."""

    conditions: tuple[str, ...] = ()
    positions: Mapping[str, str] = field(default_factory=dict)


def names(chart: alt.TopLevelMixin) -> Names:
    spec = chart.to_dict(validate=False)
    scales = (channel.get("scale") or {} for channel in _channels(spec))
    domains = [name for scale in scales for name in scale.get("domain") or () if isinstance(name, str)]
    positions: dict[str, str] = {}
    for channel in _channels(spec):
        if _is_position(channel):
            positions |= _labels(channel)
    return Names(tuple(dict.fromkeys(name for name in domains if name.isprintable() and name.strip())), positions)


def figure(chart: alt.TopLevelMixin, look: Look) -> str:
    """The figure as SVG, in centimetres; its text is text, in a face that every machine has or can replace."""
    import vl_convert

    spec = _printed(chart.to_dict(validate=False), look)
    width = inside = round(look.width * _PER_CM)
    for _ in range(_TRIES):
        drawn = vl_convert.vegalite_to_svg(
            drawable(_sized(spec, inside, width)), format_locale=COMMA if look.decimal_comma else None
        )
        if abs(over := _units(drawn)[0] - width) <= 1:
            break
        inside -= over
    wide, high = _units(drawn)
    size = f' width="{look.width:g}cm" height="{look.width * high / wide:.4f}cm"'
    return _SIZE.sub(lambda match: f"<svg{match[1]}{size}", drawn, count=1)


def pdf(drawing: str) -> bytes:
    """A figure (`figure`) as PDF of the same size, with its letters embedded."""
    import vl_convert

    points = _CENTIMETRES.sub(lambda side: f'{side[1]}"{float(side[2]) * _POINTS:.4f}cm"', drawing, count=2)
    return bytes(vl_convert.svg_to_pdf(points))


def png(drawing: str) -> bytes:
    """A figure (`figure`) as PNG of the same size at 300 dpi."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(drawing, scale=_POINTS, ppi=DPI))


FIGURES: Mapping[str, tuple[str, str, Callable[[str], str | bytes]]] = {
    "SVG": (".svg", "image/svg+xml", str),
    "PDF": (".pdf", "application/pdf", pdf),
    "PNG": (".png", "image/png", png),
}
"""By label in the interface: the ending, the kind, and the function that makes the file of a drawing."""


def _printed(spec: dict[str, Any], look: Look) -> dict[str, Any]:
    units = round(look.width * _PER_CM)
    for channel in _channels(spec):
        _rename(channel, look, units)
    changed: dict[str, Any] = _fitted(spec, str(units))
    if look.title.strip():
        lines = textwrap.wrap(look.title.strip(), max(12, int(units / _LETTER)))
        changed["title"] = {"text": lines, "anchor": "start"}
    return changed | {"config": _merged(_PRINT, changed.get("config", {}))}


def _fitted(part: Any, units: str, key: str = "") -> Any:
    """Expressions know the width of the paper instead of a window's; letters are neither too small nor too large."""
    if isinstance(part, dict):
        fitted = {
            name: value if name in ("data", "datasets") else _fitted(value, units, name)
            for name, value in part.items()
        }
        if key.lower().endswith("fontsize") and "expr" in part:
            fitted["expr"] = f"clamp({fitted['expr']}, {_SMALLEST}, {_LARGEST})"
        return fitted
    if isinstance(part, list):
        return [_fitted(value, units, key) for value in part]
    if isinstance(part, str) and key in EXPRESSIONS:
        return part.replace("containerSize()[0]", units)
    if key.lower().endswith("fontsize") and isinstance(part, int | float):
        return min(max(part, _SMALLEST), _LARGEST)
    return part


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _merged(base.get(name, {}), over.get(name, {}))
        if isinstance(base.get(name), Mapping) and isinstance(over.get(name, {}), Mapping)
        else over.get(name, base.get(name))
        for name in {**base, **over}
    }


def _channels(part: Any) -> Iterator[dict[str, Any]]:
    """Every encoding of a specification with a field, of all layers and parts."""
    if isinstance(part, dict):
        for channel in (part.get("encoding") or {}).values():
            if isinstance(channel, dict):
                yield from (one for one in (channel, channel.get("condition")) if isinstance(one, dict))
        for name in ("layer", "hconcat", "vconcat", "concat", "spec"):
            yield from _channels(part.get(name))
    elif isinstance(part, list):
        for one in part:
            yield from _channels(one)


def _is_position(channel: Mapping[str, Any]) -> bool:
    return channel.get("field") == "position" and isinstance(channel.get("axis"), dict)


def _labels(channel: Mapping[str, Any]) -> dict[str, str]:
    """The words of an axis that `pairlens.charts.style.labelled` made, by key."""
    expression = channel["axis"].get("labelExpr", "")
    return dict(json.loads(expression.removesuffix("[datum.value]"))) if expression.startswith("{") else {}


def _rename(channel: dict[str, Any], look: Look, units: int) -> None:
    """Give an encoding's axis and legend the names of the figure, and positions their numbers."""
    if _is_position(channel) and (labels := _labels(channel)):
        positions = {key: list(dict.fromkeys([key, look.positions.get(key) or word])) for key, word in labels.items()}
        slanted = channel["axis"].get("labelAngle", {})
        crowded = slanted["expr"] if isinstance(slanted, dict) and "expr" in slanted else "false"
        one_line = {key: "  ".join(lines) for key, lines in positions.items()}
        lines = f"({crowded}) ? {json.dumps(one_line)}[datum.value] : {json.dumps(positions)}[datum.value]"
        channel["axis"]["labelExpr"] = lines
        return
    domain = [name for name in (channel.get("scale") or {}).get("domain") or () if isinstance(name, str)]
    renamed = {name: look.conditions[name] for name in domain if look.conditions.get(name, "").strip()}
    for guide in ("axis", "legend"):
        if isinstance(drawn := channel.get(guide), dict):
            if renamed:
                usual = drawn.get("labelExpr", "datum.label")
                drawn["labelExpr"] = f"{json.dumps(renamed)}[datum.value] || ({usual})"
            if guide == "legend" and domain:
                shown = [renamed.get(name, name) for name in drawn.get("values", domain)]
                wider = round(math.sqrt(drawn["symbolSize"])) if "symbolSize" in drawn else 0
                drawn |= {"labelLimit": units, "columns": {"expr": columns(shown, wider).expr}}


def _sized(spec: Mapping[str, Any], inside: int, width: int) -> dict[str, Any]:
    """A single chart fits itself into the paper; the parts of several are each made so wide that the whole fits."""
    parts = next((name for name in ("vconcat", "hconcat", "concat") if name in spec), None)
    if parts:
        share = inside if parts == "vconcat" else inside // max(1, len(spec[parts]))
        return {**spec, parts: [{**part, "width": share} for part in spec[parts]]}
    return {**spec, "width": width, "autosize": {"type": "fit-x", "contains": "padding"}}


def _units(drawing: str) -> tuple[int, int]:
    size = _SIZE.search(drawing)
    assert size
    return round(float(size[2])), round(float(size[3]))
