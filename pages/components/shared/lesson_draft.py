"""The lesson that a visitor is making: it is hers while the tab is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import streamlit as st

from core.studies.lesson import Lesson, Step

TITLE = "My lesson"
_DRAFT, _PLACE = "lesson_draft", "lesson_draft_place"


def draft() -> Lesson:
    """The lesson as it is now, at first without steps."""
    kept: Lesson = st.session_state.get(_DRAFT, Lesson(TITLE, ()))
    return kept


def place() -> int:
    """The step that is edited."""
    return min(int(st.session_state.get(_PLACE, 0)), max(0, len(draft().steps) - 1))


def look_at(number: int) -> None:
    """Callback: edit this step, counted from 0."""
    st.session_state[_PLACE] = number


def add(steps: Sequence[Step], like: Lesson) -> None:
    """Callback: these steps at the end, unless they are there; an empty draft takes all else from `like`."""
    now = draft()
    known = {(step.pair, step.prefix, step.forms) for step in now.steps}
    new = [step for step in steps if (step.pair, step.prefix, step.forms) not in known]
    _keep(replace(now if now.steps else like, steps=(*now.steps, *new)))
    look_at(len(now.steps))


def change(name: str, text: str) -> None:
    """The step that is edited has this text in a field."""
    steps, field = list(draft().steps), cast(Any, {name: text})
    steps[place()] = replace(steps[place()], **field)
    _keep(replace(draft(), steps=tuple(steps)))


def name_it(title: str) -> None:
    """Another title."""
    _keep(replace(draft(), title=title.strip() or TITLE))


def move(by: int) -> None:
    """Callback: the step that is edited so many places later."""
    steps, here = list(draft().steps), place()
    to = min(max(0, here + by), len(steps) - 1)
    steps.insert(to, steps.pop(here))
    _keep(replace(draft(), steps=tuple(steps)))
    look_at(to)


def drop() -> None:
    """Callback: without the step that is edited."""
    steps = list(draft().steps)
    del steps[place()]
    _keep(replace(draft(), steps=tuple(steps)))


def _keep(lesson: Lesson) -> None:
    st.session_state[_DRAFT] = lesson
