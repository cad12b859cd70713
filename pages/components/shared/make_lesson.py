"""A popover in which a lesson grows: what is on the page becomes a step; steps are ordered, questions written."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.store import uploads
from core.studies.lesson import Lesson, Step, written
from core.studies.lesson.answering import asked
from core.studies.lesson.checking import check
from core.studies.lesson.lesson import EXPECTED
from core.types import Model
from pages.components.shared import lesson_draft, notices

FILE = "lesson_file"
"""In the link of the page Lesson: the id of a lesson that was made or uploaded here."""
_NOT_SAID = ""
_KEPT = "Kept while this tab is open: download it, or open it and keep its link."


def asked_of(model: Model) -> Lesson:
    """A lesson without steps, for this model and in its language."""
    language = str(model.card.get("language", "")).split()
    return Lesson(lesson_draft.TITLE, (), language=language[0] if language else "en", model=model.name)


def make_lesson(label: str, steps: Sequence[Step], like: Lesson) -> None:
    """The popover; its first button, called `label`, adds `steps`. A new lesson takes all else from `like`."""
    with st.container(width="content"):
        st.fragment(_draw)(label, steps, like)


def _draw(label: str, steps: Sequence[Step], like: Lesson) -> None:
    # Another label would be another popover, and closed.
    popover = st.popover("Add to a lesson", icon=":material/school:", key="make_lesson", on_change="rerun")
    with popover, st.container(width=460, gap="small", key="making_lesson"):
        st.button(label, type="primary", icon=":material/add:", on_click=lesson_draft.add, args=(steps, like))
        if popover.open and lesson_draft.draft().steps:
            _title()
            _edit()
            _take_away()


def _title() -> None:
    st.session_state["draft_title"] = lesson_draft.draft().title
    st.text_input("Title of the lesson", key="draft_title", max_chars=100, on_change=_take_title)


def _take_title() -> None:
    lesson_draft.name_it(str(st.session_state["draft_title"] or ""))


def _edit() -> None:
    """One step at a time: which one, its texts, its place."""
    steps, here = lesson_draft.draft().steps, lesson_draft.place()
    st.session_state["draft_step"] = here
    st.selectbox(
        "Step", range(len(steps)), key="draft_step", on_change=_take_step,
        format_func=lambda number: f"{number + 1}  {asked(steps[number])}",
    )  # fmt: skip
    ends = {-1: here == 0, 1: here == len(steps) - 1}
    with st.container(horizontal=True, gap="xsmall"):
        for by, label in ((-1, "Earlier"), (1, "Later")):
            st.button(label, on_click=lesson_draft.move, args=(by,), disabled=ends[by])
        st.button("Take out", icon=":material/delete:", on_click=lesson_draft.drop)
    step = steps[here]
    _field("question", "Question", step.question)
    _expected(step)
    _field("notice", "What to notice, shown after the answer", step.notice)
    _field("reference", "Reference", step.reference)


def _take_step() -> None:
    lesson_draft.look_at(int(st.session_state["draft_step"]))


def _field(name: str, label: str, text: str) -> None:
    key = f"draft_{name}"
    st.session_state[key] = text
    st.text_area(label, key=key, max_chars=2_000, height=80, on_change=_take, args=(name,))


def _expected(step: Step) -> None:
    choices = (_NOT_SAID, *(EXPECTED if step.pair else step.forms))
    if len(choices) > 1:
        st.session_state["draft_expected"] = step.expected
        names = {_NOT_SAID: "not said", "none": "both are fine"}
        st.selectbox(
            "Better for speakers", choices, key="draft_expected", on_change=_take, args=("expected",),
            format_func=lambda choice: names.get(choice, choice),
        )  # fmt: skip


def _take(name: str) -> None:
    """Callback: what a field holds is the step's."""
    lesson_draft.change(name, str(st.session_state[f"draft_{name}"] or ""))


def _take_away() -> None:
    """What would distort it, in one line each; the file; the page that plays it."""
    lesson = lesson_draft.draft()
    for said in check(lesson).in_words():
        notices.write("$said", "pl-quiet", said=said)
    with st.container(horizontal=True, gap="xsmall"):
        st.download_button("Download (TOML)", written(lesson), f"{_file_name(lesson)}.toml", on_click="ignore")
        if st.button("Open it", icon=":material/play_arrow:"):
            with notices.explained_errors():
                path = uploads.keep([(f"{_file_name(lesson)}.toml", written(lesson).encode())])
                st.switch_page("pages/lesson.py", query_params={FILE: uploads.id_of(path)})
    notices.write("$kept", "pl-quiet", kept=_KEPT)


def _file_name(lesson: Lesson) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in lesson.title).split()).lower() or "lesson"
