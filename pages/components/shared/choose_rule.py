"""What of an item is scored, where a task can be asked in more than one way."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.rules import RULES
from core.types import Task


def choose_rule(task: Task, key: str = "rule", said: Mapping[str, str] | None = None) -> str:
    """One of the task's rules, its usual one first; shared in the link as `key`. `said` has them in plain words."""
    words = said or {name: RULES[name].about for name in task.rules}
    if len(task.rules) == 1:
        return task.rules[0]
    return st.selectbox(
        "Scored", task.rules, key=f"{key}_{task.name}", bind="query-params",
        format_func=words.__getitem__, width=290 if said else "stretch",
    )  # fmt: skip
