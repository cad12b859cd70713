"""Which lesson and which of its steps: one that ships, or a file of the visitor's; and which model answers."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.store import uploads
from core.studies.lesson import Lesson, read, shipped
from core.studies.lesson.answering import summary
from core.studies.lesson.lesson import names
from core.types import Model
from pages.components.shared import notices
from pages.components.shared.given_files import given_file
from pages.components.shared.link import keep_in_link
from pages.components.shared.models import SCORABLE, listed, named
from pages.components.shared.resources import read_file

LESSON, FILE, MODEL, STEP = "lesson", "lesson_file", "answering", "step"
_OWN = "own"
_SHOWN, _ANSWERING = "lesson_shown", "answering_shown"
_LABEL = "A lesson: TOML, or a table with columns a and b, or prefix and forms, and a row per step"
_STEP_SHOWN = "step_shown"


@dataclass(frozen=True)
class Opened:
    """A lesson, and its name if it ships."""

    lesson: Lesson
    name: str = ""


def choose_lesson() -> Opened | None:
    """The lesson of the link, else the first one that ships; None, and why, if it cannot be read."""
    given, place = any(map(uploads.find, st.query_params.get_all(FILE))), st.container(width=320)
    with st.popover("Open a lesson", icon=":material/upload_file:"), st.container(width=420):
        path = given_file(_LABEL, "lesson_table", FILE, on_change=_leave)
    if (path is not None) != given:
        st.rerun()  # for the name in the list
    with place:
        chosen = _choose(_OWN if path else st.query_params.get(LESSON, names()[0]))
    with notices.explained_errors():
        return Opened(read_file(path, read, path)) if path else Opened(shipped(chosen), chosen)
    return None


def _choose(asked: str) -> str:
    listed = names() if asked != _OWN else [*names(), _OWN]
    st.session_state[_SHOWN] = asked if asked in listed else None
    st.selectbox(
        "Lesson", listed, key=_SHOWN, format_func=_title, on_change=_take_lesson, placeholder="Choose a lesson"
    )
    return asked


def _title(name: str) -> str:
    return "A lesson of your own" if name == _OWN else shipped(name).title


def _take_lesson() -> None:
    """Callback: another lesson begins at its beginning, with its own model."""
    if (chosen := st.session_state[_SHOWN]) != _OWN:
        _leave()
        st.query_params.pop(FILE, None)
        keep_in_link(LESSON, str(chosen), unless=chosen == names()[0])


def _leave() -> None:
    """Callback: step and model of the lesson before mean nothing in the next one."""
    for name in (STEP, MODEL):
        st.query_params.pop(name, None)


def choose_answering(lesson: Lesson) -> Model | None:
    """The model that answers: the lesson's own until another is chosen. None, and why, if it cannot be used."""
    names = listed(SCORABLE)
    usual = lesson.model or names[0]
    st.session_state[_ANSWERING] = st.query_params.get(MODEL) or usual
    chosen = st.selectbox(
        "Model", names if usual in names else [usual, *names], key=_ANSWERING, accept_new_options=True, width=260,
        on_change=_take_model, args=(usual,),
    )  # fmt: skip
    return named(str(chosen), SCORABLE)


def _take_model(usual: str) -> None:
    """Callback: the link names the model, unless it is the lesson's own."""
    chosen = str(st.session_state[_ANSWERING] or usual)
    keep_in_link(MODEL, chosen, unless=chosen == usual)


def show_about(lesson: Lesson) -> None:
    """What the lesson is about, and how long it takes."""
    notices.write("<strong>$title.</strong> $about", title=lesson.title, about=lesson.about)
    notices.text(summary(lesson), "pl-quiet")


def choose_step(n_steps: int) -> int:
    """The number of a step, from 1; `n_steps` + 1 is the end."""
    asked = st.query_params.get(STEP, "1")
    last = n_steps + 1
    chosen = int(asked) if asked.isdecimal() and len(asked) < 4 and 0 < int(asked) <= last else 0
    if not chosen:
        notices.error(f"There is no step '{asked}': this lesson has {n_steps}.")
        chosen = 1
    st.session_state[_STEP_SHOWN] = chosen
    st.segmented_control(
        "Step", range(1, last + 1), key=_STEP_SHOWN, required=True, wrap=True, on_change=_take_step,
        format_func=lambda number: "End" if number == last else str(number),
    )  # fmt: skip
    return chosen


def _take_step() -> None:
    go_to(int(st.session_state[_STEP_SHOWN]))


def go_to(number: int) -> None:
    """Callback: the link names this step."""
    keep_in_link(STEP, str(number), unless=number == 1)
