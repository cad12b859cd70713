"""A link that opens the page as it is now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.messages import Message
from pages.components.shared.predict_first import MINE, SEEN

ANYWHERE = Message("on any machine that runs Pairlens")
LONGEST = 2_000
"""Longer links are cut by chat programs and mail readers."""


def show_share(names: Sequence[str], where: str = ANYWHERE, said: Callable[[str], str] = str) -> None:
    """A popover with the link: what the address says, and the default values of the widgets called `names`.

    `where` says on which machines it restores what is shown, `said` puts sentences into the page's language.
    """
    with st.container(width="content"):
        _show_link(names, where, said)


@st.fragment
def _show_link(names: Sequence[str], where: str, said: Callable[[str], str]) -> None:
    """The link is made when the popover opens: by then all widgets of the page have their values."""
    popover = st.popover(said("Share"), icon=":material/link:", key="share", on_change="rerun")
    if not popover.open:
        return
    with popover:
        link = f"{st.context.url or ''}?{urlencode(_given(names), doseq=True)}".rstrip("?")
        if len(link) > LONGEST:
            st.caption(said("These texts are too long for a link. Save them to Results, or send the CSV file."))
        else:
            st.caption(said(Message("This link opens the page as it is now, {where}.", where=where)))
            st.code(link, language=None, wrap_lines=True)


def _given(names: Sequence[str]) -> dict[str, object]:
    """Values by parameter. Streamlit leaves default ones out of the address; another machine may have others.

    What other pages hold, or this one does not show now, is none of them. What the visitor herself predicted and
    revealed is not for others.
    """
    context = get_script_run_ctx()
    with context.session_state.query_params() if context else nullcontext(None) as link:
        drawn = [name for name in names if link and link.is_bound(name)]
    given: dict[str, object] = {name: value for name in drawn if (value := st.session_state.get(name))}
    return given | {name: st.query_params.get_all(name) for name in st.query_params if name not in (MINE, SEEN)}
