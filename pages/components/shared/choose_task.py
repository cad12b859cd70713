"""Which benchmark: a card each, with what it tests, how large it is and under which licence."""

from __future__ import annotations

import streamlit as st

from core.errors import unknown
from core.files.datasets import of_task, path_of
from core.tasks import TASKS
from core.types import Task
from pages.components.shared import notices

_FIRST, _LAST = "blimp", "pairs"
"""The benchmark that a visitor finds chosen, and the one for tables of their own."""


def choose_task(key: str = "task") -> Task:
    """A task, shared in the link as `key` by its title; a link may also have its name."""
    tasks = {task.title: task for task in in_order() if not task.instead}
    _read_link(key, tasks)
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
    return tasks[chosen]


def in_order() -> list[Task]:
    """All tasks as a visitor finds them."""
    return sorted(TASKS.values(), key=lambda task: (task.name != _FIRST, task.name == _LAST))


def _read_link(key: str, tasks: dict[str, Task]) -> None:
    """Put a task's title where a link has its name; say so if a link asks for a benchmark that is not there."""
    asked = st.query_params.get(key, "")
    if asked in TASKS and not TASKS[asked].instead:
        st.session_state[key] = TASKS[asked].title
    elif asked and asked not in tasks:
        notices.error(unknown("benchmark", asked, [task.name for task in tasks.values()]))
        del st.query_params[key]


def _caption(task: Task) -> str:
    known = of_task(task.name)
    if not known:
        return f"{task.about} For a table of yours; our small sample is here."
    whole = known[0]
    licence = "no licence stated" if whole.needs_consent else whole.licence
    got = "on this machine" if path_of(whole) else f"[get](data?shelf=Public+sets&set={whole.name})"
    return f"{task.about} {whole.items}, {licence}: {got}. Our small sample is here."
