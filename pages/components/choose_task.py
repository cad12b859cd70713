"""Which benchmark: a card each, with what it tests, how large it is and under which licence."""

from __future__ import annotations

from typing import cast

import streamlit as st

from core.datasets import datasets
from core.tasks import TASKS
from core.types import Task


def choose_task(key: str = "task") -> Task:
    """A task, shared in the link as `key` by its title."""
    tasks = {task.title: task for task in TASKS.values()}
    chosen = st.radio(
        "Benchmark",
        list(tasks),
        key=key,
        horizontal=True,
        bind="query-params",
        label_visibility="collapsed",
        width="stretch",
        captions=[_caption(task) for task in tasks.values()],
    )
    return tasks[cast(str, chosen)]


def _caption(task: Task) -> str:
    known = datasets().get(task.name)
    about = f"{task.about} "
    return f"{about}{known.size}, {known.licence}." if known else f"{about}Your own table."
