"""A link that opens the page as it is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

LONGEST = 2_000
"""Longer links are cut by chat programs and mail readers."""


def show_share(params: Mapping[str, str | Sequence[str]]) -> None:
    """A popover with the link. `params` are the query parameters that restore what is shown."""
    with st.popover("Share", icon=":material/link:"):
        link = f"{st.context.url or ''}?{urlencode(params, doseq=True)}"
        if len(link) > LONGEST:
            st.caption("These texts are too long for a link. Save them to Results, or send the CSV file.")
        else:
            st.caption("This link opens the page as it is now, on any machine that runs Pairlens.")
            st.code(link, language=None, wrap_lines=True)
