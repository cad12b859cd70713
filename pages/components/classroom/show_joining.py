"""How phones join: address, code and QR code, drawn on this machine; and how many have."""

from __future__ import annotations

import segno
import streamlit as st

from core.studies.classroom.kept import Kept
from pages.components.classroom.served import Served
from pages.components.shared.notices import fill

_EVERY = 1.0
"""Seconds between two looks at what phones did."""


def show_joining(running: Served, *, small: bool = False) -> None:
    """Large on the first screen, small for those who are late."""
    code = running.kept.see(lambda room: room.code)
    drawn = segno.make(f"{running.address}/join?c={code}", error="m", micro=False)
    picture = drawn.svg_inline(scale=1, border=3, dark="#000", light="#fff", omitsize=True)
    st.html(
        f'<div class="pl-join{" small" if small else ""}"><div class="pl-qr" role="img" aria-label="QR code of the '
        f'address">{picture}</div><div>'
        + fill(
            '<p class="pl-second">Point your camera here, or open</p><p class="pl-address">$address</p>'
            '<p class="pl-second">and type the code</p><p class="pl-code">$code</p>',
            address=running.address.removeprefix("http://"), code=code,
        )
        + "</div></div>"
    )  # fmt: skip
    if not small:
        _count(running.kept, running.kept.turn)


@st.fragment(run_every=_EVERY)
def _count(kept: Kept, turn: int) -> None:
    follow(kept, turn)
    phones = kept.see(lambda room: len(room.phones))
    st.html(fill('<p class="pl-headline">$n joined</p>', n="1 phone has" if phones == 1 else f"{phones} phones have"))


def follow(kept: Kept, turn: int) -> None:
    """Draw the whole page again if another window of the teacher has gone on."""
    if kept.turn != turn:
        st.rerun()
