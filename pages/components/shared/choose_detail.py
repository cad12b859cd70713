"""Whose details are shown, where several models answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

T = TypeVar("T")


def choose_detail(by_name: Mapping[str, T]) -> T:
    """One of these, the first to begin with; nothing is asked where there is one only."""
    names = list(by_name)
    return by_name[names[0] if len(names) == 1 else st.selectbox("Details of", names, key="details_of", width=360)]
