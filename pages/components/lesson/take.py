"""A lesson taken elsewhere: to a class, by a server of its own, and home, as one file."""

import streamlit as st

from pages.components.lesson.show import Opened
from pages.components.shared import notices, resources
from pairlens.evaluation.command import line
from pairlens.studies.lesson import Lesson, written
from pairlens.studies.take_home.making import take_home


def offer_class(opened: Opened, model: str) -> None:
    """The command that begins a class, and what then happens. A lesson of one's own is a file to be saved first."""
    name = opened.name or "lesson.toml"
    with st.popover("Hold it with a class", icon=":material/groups:"), st.container(width=420):
        if not opened.name:
            notices.text("Save the lesson as a file, and open a terminal in its folder.")
            st.download_button(
                "Lesson (TOML)", lambda: written(opened.lesson), name, "application/toml", on_click="ignore",
                icon=":material/download:", key="lesson_for_class",
            )  # fmt: skip
        notices.text("A class has a server of its own. Type this in a terminal on the teacher's computer:")
        options = [] if model == opened.lesson.model else ["--model", model]
        st.code(line(["class", name, *options]), language="bash", wrap_lines=True)
        notices.text(
            "The model answers all steps, then two links are printed. Yours opens the page for the projector; it "
            "shows a QR code by which phones in the same network join. They vote, and nobody sees the model's answer "
            "before you show it."
        )


def offer_page(lesson: Lesson, model: str) -> None:
    """The file, made as soon as it is asked for, or why this model has none."""
    popover = st.popover("Take it home", icon=":material/home:", key="take_home", on_change="rerun")
    with popover, st.container(width=420), notices.explained_errors():
        if popover.open:
            page = _page(lesson, model)
            notices.write(
                "One HTML file of $size with the lesson and $model. It opens in any browser, on a phone too, and "
                "needs no network. Numbers may differ a little, since weights are rounded.",
                size=notices.size(len(page)), model=model,
            )  # fmt: skip
            st.download_button(
                "Download", page, "lesson.html", "text/html", type="primary", on_click="ignore", key="get_page",
                icon=":material/download:",
            )  # fmt: skip


@resources.remembered("Making the file …", 4, {Lesson: written})
def _page(lesson: Lesson, model: str) -> bytes:
    return take_home(lesson, model).encode()
