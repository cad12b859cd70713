"""How phones join: address, code and QR code, drawn on this machine; and how many have."""

from __future__ import annotations

import segno
import streamlit as st

from core.studies.classroom.kept import Kept
from pages.components.classroom.served import Served
from pages.components.shared import notices
from pages.components.shared.notices import fill

_EVERY = 1.0
"""Seconds between two looks at what phones did."""


def show_joining(running: Served, *, small: bool = False) -> None:
    """Large on the first screen, small for those who are late."""
    title, code = running.kept.see(lambda room: (room.lesson.title, room.code))
    if not small:
        notices.write("$title", "pl-headline", title=title)
    drawn = segno.make(f"{running.address}/join?c={code}", error="m", micro=False)
    source = drawn.svg_data_uri(scale=8, border=3, light="#fff")
    picture = f'<img class="pl-qr" alt="QR code of the address" src="{source}">'
    words = fill(
        '<p class="pl-second">Point your camera here, or open</p><p class="pl-address">$address</p>'
        '<p class="pl-second">and type the code</p><p class="pl-code">$code</p>',
        address=running.address.removeprefix("http://"), code=code,
    )  # fmt: skip
    st.html(f'<div class="pl-join{" small" if small else ""}">{picture}<div>{words}</div></div>')
    if not small:
        _count(running.kept, running.kept.turn)


@st.fragment(run_every=_EVERY)
def _count(kept: Kept, turn: int) -> None:
    follow(kept, turn)
    phones = kept.see(lambda room: len(room.phones))
    notices.write("$phones joined.", "pl-headline", phones="1 phone has" if phones == 1 else f"{phones} phones have")


def follow(kept: Kept, turn: int) -> None:
    """Draw the whole page again if another window of the teacher has gone on."""
    if kept.turn != turn:
        st.rerun()
