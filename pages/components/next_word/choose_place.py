"""How sure the model was along a prefix, and which of its places is looked at."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts import next_word as next_word_charts
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart

SHOWN = 24
"""Places that a chart shows at once; of longer prefixes the last ones."""


def choose_place(places: pd.DataFrame, prefix: str) -> int:
    """The position of the place that is looked at: the end, until another one is clicked or chosen."""
    last = int(places["position"].iloc[-1])
    if len(places) == 1:
        return last
    key = f"place_of_{prefix}"
    if st.session_state.get(key) not in set(places["position"]):
        st.session_state[key] = last
    chosen = int(st.session_state[key])
    drawn = places.tail(SHOWN)
    finding = "Entropy in bits after each token: " + ", ".join(
        f"{label} {bits:.1f}" for label, bits in zip(drawn["label"], drawn["entropy"], strict=True)
    )
    chart = next_word_charts.uncertainty(drawn, finding, chosen)
    if len(drawn) < len(places):
        notices.write("The last $drawn of $all places", "pl-quiet", drawn=len(drawn), all=len(places))
    show_chart(chart, f"uncertainty_{prefix}", on_click=lambda: _take_click(f"uncertainty_{prefix}", key))
    labels = places.set_index("position")["label"].to_dict()
    st.selectbox(
        "What was expected after", list(labels), key=key, width=300, persist_state="session",
        format_func=lambda position: f"{position}  {labels[position]}" if position else str(labels[position]),
        help="Click a place in the line above, or choose one. Entropy is over tokens, in bits.",
    )  # fmt: skip
    return chosen


def _take_click(chart: str, key: str) -> None:
    points = st.session_state[chart].selection.get(next_word_charts.PLACE, [])
    if points:
        st.session_state[key] = int(points[0]["position"])
