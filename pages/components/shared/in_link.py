"""A choice in the page's link, only where it is not the usual one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st


def keep_in_link(name: str, value: str | Sequence[str], *, unless: bool) -> None:
    """Put a value into the link, or take it out of there: `unless` it is the usual one."""
    if unless:
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value
