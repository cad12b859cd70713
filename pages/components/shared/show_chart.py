"""A chart as wide as the page, whose description is its alternative text; a click can select."""

from __future__ import annotations

from collections.abc import Callable

import altair as alt
import streamlit as st

from core.charts.drawing import unchecked
from pages.components.shared.gathered import Part, gathered


def show_chart(chart: alt.TopLevelMixin, key: str, on_click: Callable[[], None] | None = None) -> None:
    """Draw a chart as wide as the page. `on_click` is called when something was selected; the event is in the session
    state under `key`.
    """
    gathered(Part(key.replace("_", "-"), chart=chart))
    with unchecked():
        st.altair_chart(chart, key=key, on_select=on_click or "ignore")
