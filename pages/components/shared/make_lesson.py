"""A popover in which a lesson grows: what is on the page becomes a step; steps are ordered, questions written."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import streamlit as st

from pages.components.shared import notices
from pairlens.store import uploads
from pairlens.studies.lesson import Lesson, Step, written
from pairlens.studies.lesson.answering import asked
from pairlens.studies.lesson.checking import check
from pairlens.studies.lesson.lesson import EXPECTED
from pairlens.types import Model

FILE = "lesson_file"
"""In the link of the page Lesson: the id of a lesson that was made or uploaded here."""
_NOT_SAID = ""
_KEPT = "Kept while this tab is open: download it, or open it and keep its link."
TITLE = "My lesson"
_DRAFT, _PLACE = "lesson_draft", "lesson_draft_place"


def asked_of(model: Model) -> Lesson:
    """A lesson without steps, for this model and in its language."""
    language = str(model.card.get("language", "")).split()
    return Lesson(TITLE, (), language=language[0] if language else "en", model=model.name)


def make_lesson(label: str, steps: Sequence[Step], like: Lesson) -> None:
    """The popover; its first button, called `label`, adds `steps`. A new lesson takes all else from `like`."""
    with st.container(width="content"):
        st.fragment(_draw)(label, steps, like)


def _draw(label: str, steps: Sequence[Step], like: Lesson) -> None:
    # Another label would be another popover, and closed.
    popover = st.popover("Add to a lesson", icon=":material/school:", key="make_lesson", on_change="rerun")
    with popover, st.container(width=460, gap="small", key="making_lesson"):
        st.button(label, type="primary", icon=":material/add:", on_click=_add, args=(steps, like))
        if popover.open and draft().steps:
            st.session_state["draft_title"] = draft().title
            rename = lambda: _change(title=str(st.session_state["draft_title"] or "").strip() or TITLE)  # noqa: E731
            st.text_input("Title of the lesson", key="draft_title", max_chars=100, on_change=rename)
            _edit()
            lesson, file = draft(), f"{_file_name(draft())}.toml"
            for sentence in check(lesson).in_words():
                notices.text(sentence, "pl-quiet")
            with st.container(horizontal=True, gap="xsmall"):
                st.download_button("Download (TOML)", written(lesson), file, on_click="ignore")
                if st.button("Open it", icon=":material/play_arrow:"):
                    with notices.explained_errors():
                        path = uploads.keep([(file, written(lesson).encode())])
                        st.switch_page("pages/lesson.py", query_params={FILE: uploads.id_of(path)})
            notices.text(_KEPT, "pl-quiet")


def _edit() -> None:
    steps, here = _steps()
    st.session_state["draft_step"] = here
    st.selectbox(
        "Step", range(len(steps)), key="draft_step", on_change=lambda: _look_at(int(st.session_state["draft_step"])),
        format_func=lambda number: f"{number + 1}  {asked(steps[number])}",
    )  # fmt: skip
    ends = {-1: here == 0, 1: here == len(steps) - 1}
    with st.container(horizontal=True, gap="xsmall"):
        for by, label in ((-1, "Earlier"), (1, "Later")):
            st.button(label, on_click=_move, args=(by,), disabled=ends[by])
        st.button("Take out", icon=":material/delete:", on_click=_drop)
    step = steps[here]
    _field("question", "Question", step.question)
    choices = (_NOT_SAID, *(EXPECTED if step.pair else step.forms))
    if len(choices) > 1:
        st.session_state["draft_expected"] = step.expected
        names = {_NOT_SAID: "not said", "none": "both are fine"}
        st.selectbox(
            "Better for speakers", choices, key="draft_expected", on_change=_take, args=("expected",),
            format_func=lambda choice: names.get(choice, choice),
        )  # fmt: skip
    _field("notice", "What to notice, shown after the answer", step.notice)
    _field("reference", "Reference", step.reference)


def _field(name: str, label: str, text: str) -> None:
    key = f"draft_{name}"
    st.session_state[key] = text
    st.text_area(label, key=key, max_chars=2_000, height=80, on_change=_take, args=(name,))


def _take(name: str) -> None:
    steps, here = _steps()
    steps[here] = replace(steps[here], **cast(Any, {name: str(st.session_state[f"draft_{name}"] or "")}))
    _change(steps=tuple(steps))


def _file_name(lesson: Lesson) -> str:
    return "-".join("".join(sign if sign.isalnum() else " " for sign in lesson.title).split()).lower() or "lesson"


def draft() -> Lesson:
    lesson: Lesson = st.session_state.get(_DRAFT, Lesson(TITLE, ()))
    return lesson


def _change(lesson: Lesson | None = None, **fields: Any) -> None:
    st.session_state[_DRAFT] = replace(lesson or draft(), **fields)


def _steps() -> tuple[list[Step], int]:
    """Those of the draft, and the place of the one that is edited."""
    steps = [*draft().steps]
    return steps, min(int(st.session_state.get(_PLACE, 0)), max(0, len(steps) - 1))


def _look_at(number: int) -> None:
    st.session_state[_PLACE] = number


def _add(steps: Sequence[Step], like: Lesson) -> None:
    """Callback: these steps at the end, unless they are there; an empty draft takes all else from `like`."""
    earlier = draft().steps
    known = {(step.pair, step.prefix, step.forms) for step in earlier}
    new = [step for step in steps if (step.pair, step.prefix, step.forms) not in known]
    _change(draft() if earlier else like, steps=(*earlier, *new))
    _look_at(len(earlier))


def _move(by: int) -> None:
    steps, here = _steps()
    to = min(max(0, here + by), len(steps) - 1)
    steps.insert(to, steps.pop(here))
    _change(steps=tuple(steps))
    _look_at(to)


def _drop() -> None:
    steps, here = _steps()
    _change(steps=(*steps[:here], *steps[here + 1 :]))
