"""Where no class is served: how to begin one, and what earlier ones came to."""

from __future__ import annotations

import streamlit as st

from core.settings import program
from core.sharing import is_shared
from core.studies.classroom import kept
from pages.components.classroom.show_result import show_result
from pages.components.shared import notices


def show_earlier() -> None:
    """Earlier classes only on a dashboard of one's own."""
    notices.write(
        "A class is begun in a terminal: <code>make class LESSON=…</code> or <code>$program class LESSON</code>. It "
        "prints the teacher's link and what the students open.", program=program(),
    )  # fmt: skip
    rooms = {} if is_shared() else kept.classes()
    if not rooms:
        return
    name = st.selectbox(
        "Earlier classes", list(rooms), key="earlier_class", persist_state="session",
        format_func=lambda one: f"{one[:10]} {one[11:13]}:{one[13:15]}, {notices.literal(rooms[one].lesson.title)}",
    )  # fmt: skip
    show_result(name, rooms[name])
