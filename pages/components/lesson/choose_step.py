"""Which step of the lesson is shown; it is in the link, and the one after the last is the end."""

from __future__ import annotations

import streamlit as st

from pages.components.lesson.choose_lesson import STEP
from pages.components.shared import notices
from pages.components.shared.link import keep_in_link

_SHOWN = "step_shown"


def choose_step(n_steps: int) -> int:
    """The number of a step, from 1; `n_steps` + 1 is the end."""
    asked = st.query_params.get(STEP, "1")
    last = n_steps + 1
    chosen = int(asked) if asked.isdecimal() and len(asked) < 4 and 0 < int(asked) <= last else 0
    if not chosen:
        notices.error(f"There is no step '{asked}': this lesson has {n_steps}.")
        chosen = 1
    st.session_state[_SHOWN] = chosen
    st.segmented_control(
        "Step", range(1, last + 1), key=_SHOWN, required=True, wrap=True, on_change=_take,
        format_func=lambda number: "End" if number == last else str(number),
    )  # fmt: skip
    return chosen


def _take() -> None:
    go_to(int(st.session_state[_SHOWN]))


def go_to(number: int) -> None:
    """Callback: the link names this step."""
    keep_in_link(STEP, str(number), unless=number == 1)
