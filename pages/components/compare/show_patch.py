"""One cell of a map: chosen by a click or in boxes, and what comes next with its patch and without."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from core.charts.inside import CELL
from core.charts.sentence_pair import next_pieces
from core.studies.inside import Inside
from core.studies.inside.question import DIRECTIONS
from pages.components.compare import resources, say_inside
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart

INTO, LAYER, PLACE = "into", "layer", "at"
"""The chosen cell, in the link: which beginning receives, the layer, the position of its token."""
_RECEIVER = dict(zip(DIRECTIONS, ("the second beginning", "the first beginning"), strict=True))


def map_key(direction: str) -> str:
    """The key of a direction's map."""
    return f"inside_{direction}"


def take_click(direction: str) -> None:
    """Callback: a click on a cell chooses it."""
    for point in st.session_state[map_key(direction)].selection.get(CELL, []):
        if {LAYER, "position"} <= point.keys():
            st.session_state[INTO] = direction
            st.session_state[LAYER], st.session_state[PLACE] = int(point[LAYER]), int(point["position"])


def choose_cell(found: Inside) -> pd.Series:
    """The cell in the link, clicked, or chosen in three boxes; to begin with that of the headline."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        direction = st.selectbox(
            "Put into", DIRECTIONS, key=INTO, bind="query-params", width=260, format_func=_RECEIVER.__getitem__
        )
        cells = found.cells[found.cells["direction"] == direction]
        first = say_inside.telling(found, direction)
        tokens = dict(zip(cells["position"], cells["token"], strict=True))
        layers = sorted({*cells["layer"].tolist()}, reverse=True)
        place = _choose("At the token", [*tokens], int(first["position"]), PLACE, lambda n: f"{n}  {tokens[n]}")
        layer = _choose("In layer", layers, int(first["layer"]), LAYER, str)
    return cells[(cells["layer"] == layer) & (cells["position"] == place)].iloc[0]


def _choose(label: str, options: Sequence[int], first: int, key: str, named: Callable[[int], str]) -> int:
    if st.session_state.get(key, first) not in options:
        st.session_state[key] = first
    return st.selectbox(
        label, options, options.index(first), key=key, bind="query-params", width=180, format_func=named
    )  # fmt: skip


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
