"""A class against the model: chart, table of all steps, and what can be taken away or kept."""

from __future__ import annotations

import streamlit as st

from core.charts.classroom import class_against_model
from core.studies.classroom.classroom import Classroom
from core.studies.classroom.shares import finding, table, votes_csv
from core.studies.classroom.stored import store_choices
from core.studies.lesson import written
from pages.components.shared import notices, resources
from pages.components.shared.file import File
from pages.components.shared.gathered import Part, gathered_downloads
from pages.components.shared.say_saved import say_saved
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_menu
from pages.components.shared.show_table import show_table

_WIDE = 640


def show_result(name: str, room: Classroom) -> None:
    """The steps whose answers were shown."""
    shown = table(room)
    if shown.empty:
        notices.note("No answer was shown yet: there is nothing to compare.")
        return
    said = finding(shown)
    notices.write("$said", "pl-headline", said=said or "No step has an expected answer.")
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
