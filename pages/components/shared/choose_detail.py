"""Whose details are shown, where several models answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def choose_detail(by_name: Mapping[str, T], key: str = "details_of") -> T:
    """One of these, the first to begin with; nothing is asked where there is one only."""
    names = list(by_name)
    if len(names) == 1:
        return by_name[names[0]]
    return by_name[st.selectbox("Details of", names, key=key, width=360, persist_state="session")]
