"""The teacher's buttons: back, what comes next, hands without a phone, and how to join late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.studies.classroom.classroom import (
    AHEAD,
    MOST_HANDS,
    OPEN,
    REVEALED,
    Classroom,
    choices,
    offered,
)
from core.studies.classroom.kept import Kept
from pages.components.classroom.served import Served
from pages.components.classroom.show_joining import show_joining
from pages.components.shared import notices

Act = Callable[[Classroom], None]


def steer(running: Served, room: Classroom) -> None:
    """The bar above the step: first the button for what usually comes next."""
    kept, at, last = running.kept, room.at, room.last
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if at <= last:
            _button(kept, room, *_next(room), type="primary")
        if room.step and room.stage != REVEALED:
            _button(kept, room, "Skip", "skip_next", lambda now: now.go(at + 1))
        if at > 0:
            _button(kept, room, "Back", "arrow_back", lambda now: now.go(at - 1))
        if at > last and not room.ended:
            _button(kept, room, "End the class", "flag", Classroom.end)
        st.space("stretch")
        if room.step and room.stage != REVEALED and choices(room.step):
            with st.popover("Raised hands", icon=":material/back_hand:", width="content"):
                _count_hands(kept, room)
        if at > 0 and not room.ended:
            with st.popover("Join", icon=":material/qr_code_2:", width="content"):
                show_joining(running, small=True)


def _next(room: Classroom) -> tuple[str, str, Act]:
    """What usually comes next: its label, icon and act."""
    if room.at == 0:
        return "Begin", "play_arrow", lambda now: now.go(1)
    if room.stage == AHEAD:
        return "Open the vote", "how_to_vote", Classroom.open
    if room.stage == OPEN:
        return "Show the answer", "visibility", Classroom.reveal
    label = "Next" if room.at < room.last else "Class against model"
    return label, "arrow_forward", lambda now: now.go(room.at + 1)


def _button(kept: Kept, room: Classroom, label: str, icon: str, act: Act, **look: Any) -> None:
    key = f"class_{label}"
    st.button(label, icon=f":material/{icon}:", key=key, on_click=_change, args=(kept, room.at, act), **look)


def _change(kept: Kept, at: int, act: Act) -> None:
    """Let the act happen, unless another window of the teacher has gone on meanwhile."""

    def change(now: Classroom) -> None:
        if now.at == at:
            act(now)

    with notices.explained_errors():
        kept.change(change)


def _count_hands(kept: Kept, room: Classroom) -> None:
    """A number with + and - for each choice; what is entered counts at once."""
    notices.write("Of those without a phone", "pl-label")
    for place, (choice, text) in enumerate(offered(room, room.at).items()):
        key = f"hands_{room.at}_{place}"
        st.number_input(
            notices.literal(text), 0, MOST_HANDS, room.hands[room.at - 1].get(choice, 0), key=key,
            on_change=_raise, args=(kept, room.at, choice, key),
        )  # fmt: skip


def _raise(kept: Kept, at: int, choice: str, key: str) -> None:
    _change(kept, at, lambda now: now.raise_hands(at, choice, int(st.session_state[key])))
