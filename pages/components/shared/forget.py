"""What a visitor chose for one table means nothing for the next."""

from __future__ import annotations

import streamlit as st

OF_ONE_TABLE = ("role_", "region", "marks", "upload", "items")
"""How the query parameters begin that speak of one table's columns and sentences."""


def forget() -> None:
    """Callback: drop them from the address."""
    for name in list(st.query_params):
        if name.startswith(OF_ONE_TABLE):
            del st.query_params[name]
