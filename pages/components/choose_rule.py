"""What of an item is scored, where a task can be asked in more than one way."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.rules import RULES
from core.types import Task


def choose_rule(task: Task, key: str = "rule") -> str:
    """One of the task's rules, its usual one first; shared in the link as `key`."""
    if len(task.rules) == 1:
        return task.rules[0]
    return cast(
        str,
        st.selectbox(
            "Scored", task.rules, key=f"{key}_{task.name}", bind="query-params",
            format_func=lambda name: RULES[name].about,
        ),
    )  # fmt: skip
