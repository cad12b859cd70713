"""One cell of a map: chosen by a click or in boxes, and what comes next with its patch and without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.inside import CELL
from core.charts.sentence_pair import next_pieces
from core.studies.inside import Inside
from core.studies.inside.question import DIRECTIONS
from pages.components.compare import resources, say_inside
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart

_CELL = "cell"
"""The chosen cell, in the link: which beginning is the donor, the layer, the position of the receiving token."""
_BOXES = ("inside_into", "inside_layer", "inside_at")
_RECEIVER = dict(zip(DIRECTIONS, ("the second beginning", "the first beginning"), strict=True))


def map_key(direction: str) -> str:
    """The key of a direction's map."""
    return f"inside_{direction}"


def take_click(direction: str) -> None:
    """Callback: a click on a cell chooses it."""
    for point in st.session_state[map_key(direction)].selection.get(CELL, []):
        if {"layer", "position"} <= point.keys():
            st.query_params[_CELL] = f"{direction}.{int(point['layer'])}.{int(point['position'])}"


def _take_boxes() -> None:
    """Callback: what the boxes say."""
    st.query_params[_CELL] = ".".join(str(st.session_state[box]) for box in _BOXES)


def choose_cell(found: Inside) -> pd.Series:
    """The cell in the link, clicked, or chosen in three boxes; to begin with that of the headline."""
    direction, asked_layer, asked_place = (*st.query_params.get(_CELL, "").split("."), "", "", "")[:3]
    direction = direction if direction in DIRECTIONS else DIRECTIONS[0]
    cells, first = found.cells[found.cells["direction"] == direction], say_inside.telling(found, direction)
    tokens = dict(zip(cells["position"].tolist(), cells["token"], strict=True))
    layers = sorted({*cells["layer"].tolist()}, reverse=True)
    place, layer = _one_of([*tokens], asked_place, first["position"]), _one_of(layers, asked_layer, first["layer"])
    st.session_state.update(zip(_BOXES, (direction, layer, place), strict=True))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        boxes: list[tuple[str, Sequence[Any], Callable[[Any], str], int]] = [
            ("Put into", DIRECTIONS, _RECEIVER.__getitem__, 260),
            ("In layer", layers, str, 130),
            ("At the token", [*tokens], lambda n: f"{n}  {tokens[n]}", 190),
        ]
        for key, (label, options, named, width) in zip(_BOXES, boxes, strict=True):
            st.selectbox(label, options, key=key, on_change=_take_boxes, format_func=named, width=width)
    return cells[(cells["layer"] == layer) & (cells["position"] == place)].iloc[0]


def _one_of(options: Sequence[int], asked: str, first: int) -> int:
    """What the link asks for, if there is that."""
    return int(asked) if asked.isdecimal() and int(asked) in options else int(first)


def show_patch(found: Inside, one: pd.Series) -> None:
    """What the patch moves, and the ten likeliest tokens with it beside those without."""
    notices.write("$said", "pl-second", said=say_inside.patch(found, one))
    pieces = resources.next_with_patch(found, one["direction"], int(one["layer"]), int(one["position"]))
    pieces = pieces.rename(columns={"token": "piece"})
    receiver = found.question.beginnings[1 - DIRECTIONS.index(one["direction"])].strip()
    titles = {False: "without the patch", True: "with the patch"}
    for column, (patched, title) in zip(st.columns(2, gap="large"), titles.items(), strict=True):
        own = pieces[pieces["patched"] == patched]
        with column:
            notices.write(
                'After <span class="pl-form">$receiver</span> … <strong>$title</strong>',
                receiver=receiver, title=title,
            )  # fmt: skip
            finding = f"Likeliest token {title}: {own['piece'].iloc[0]}"
            show_chart(next_pieces(own, finding, 1.15 * pieces["probability"].max()), f"inside_next_{title}")
