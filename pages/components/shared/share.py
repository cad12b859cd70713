"""A link that opens the page as it is now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlencode

import streamlit as st

from core.messages import Message

ANYWHERE = Message("on any machine that runs Pairlens")
LONGEST = 2_000
"""Longer links are cut by chat programs and mail readers."""


def show_share(names: Sequence[str], where: str = ANYWHERE, said: Callable[[str], str] = str) -> None:
    """A popover with the link. `names` are the query parameters (and widget keys) that restore what is shown, `where`
    says on which machines they can, `said` puts sentences into the page's language.
    """
    with st.popover(said("Share"), icon=":material/link:"):
        given = {name: value for name in names if (value := _given(name))}
        link = (st.context.url or "") + (f"?{urlencode(given, doseq=True)}" if given else "")
        if len(link) > LONGEST:
            st.caption(said("These texts are too long for a link. Save them to Results, or send the CSV file."))
        else:
            st.caption(said(Message("This link opens the page as it is now, {where}.", where=where)))
            st.code(link, language=None, wrap_lines=True)


def _given(name: str) -> object:
    """A widget's value or, before the widget is there, what the address says."""
    return st.session_state.get(name) or st.query_params.get_all(name)
