"""A class against the model: chart, table of all steps, what can be taken away; and what earlier classes came to."""

from __future__ import annotations

import streamlit as st

from core.charts.classroom import class_against_model
from core.settings import program
from core.sharing import is_shared
from core.studies.classroom import kept
from core.studies.classroom.classroom import Classroom
from core.studies.classroom.kept import store_choices
from core.studies.classroom.shares import finding, table, votes_csv
from core.studies.lesson import written
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, gathered_downloads, show_chart, show_menu
from pages.components.shared.runs import say_saved
from pages.components.shared.tables import show_table

_WIDE = 640


def show_result(name: str, room: Classroom) -> None:
    """The steps whose answers were shown."""
    shown = table(room)
    if shown.empty:
        notices.note("No answer was shown yet: there is nothing to compare.")
        return
    said = finding(shown)
    notices.text(said or "No step has an expected answer.", "pl-headline")
    with gathered_downloads() as parts:
        judged = shown[shown["outcome"] != ""]
        if not judged.empty:
            with st.container(width=_WIDE):
                show_chart(class_against_model(judged, said, room.model), f"class_{name}")
    show_table(
        shown.drop(columns=["kind", "outcome"]),
        column_config={
            "step": "Step", "a": "A, or a beginning", "b": "B, or its forms", "expected": "Expected",
            "votes": "Votes", "class_choice": "The class", "model_choice": room.model,
            "class_share": st.column_config.NumberColumn("Share of the class", format="percent"),
            "margin_bits": st.column_config.NumberColumn("Margin (bits)", format="%+.2f"),
        },
    )  # fmt: skip
    files = [
        File("votes.csv", lambda: votes_csv(room), "votes.csv", "text/csv"),
        File("Lesson", lambda: written(room.lesson), "lesson.toml", "application/toml"),
    ]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_menu(f"class_{name}", [Part(f"class-{name}", lambda: shown), *parts], files)
        pressed = st.button("Save to Results", icon=":material/bookmark_add:", key=f"save_{name}")
    if pressed:
        with notices.explained_errors():
            say_saved(store_choices(name, room, resources.store()))


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
