"""Which benchmark or suite: one list in which typing searches, grouped by topic; the link names the chosen one."""

import json
from collections.abc import Mapping
from typing import get_args

import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.datasets import FILE, megabytes
from pages.components.shared.link import keep_in_link
from pairlens import identity
from pairlens.errors import unknown
from pairlens.evaluation.result import short_names
from pairlens.evaluation.run_list import headline_of
from pairlens.files.datasets import of_task, path_of
from pairlens.files.suites import Suite, suite, suites
from pairlens.tasks import TASKS
from pairlens.types import Task, Topic

_FIRST = "blimp"
"""The benchmark that a visitor finds chosen."""
_TOPICS = get_args(Topic)


def choose_task(key: str = "task") -> Task | Suite:
    """A task or a suite, in the link as `key` by its name; a link may also have its title."""
    tasks: dict[str, Task | Suite] = {task.name: task for task in in_order() if not task.instead}
    tasks |= {name: suite(name) for name in suites()}
    last = _last_scores()
    entries = {  # Grammar · BLiMP · download 29.6 MB · last here 81 % of our sample (english-small) · Is the ...?
        name: " · ".join(filter(None, ("Suite", task.title, ", ".join(entry.key for entry in task.entries))))
        if isinstance(task, Suite)
        else " · ".join(filter(None, (task.topic, task.title, _where(task), last.get(name, ""), task.about)))
        for name, task in tasks.items()
    }
    # The list is another widget once an entry reads differently: it begins with what the link names.
    shown = f"{key}_{identity.digest(repr(entries))[:8]}"
    chosen = st.selectbox(
        "Benchmark: type to search, or choose", list(tasks), list(tasks).index(_linked(key, tasks)),
        key=shown, format_func=entries.__getitem__, filter_mode="contains", on_change=_link, args=(key, shown),
    )  # fmt: skip
    if not isinstance(task := tasks[chosen], Suite):
        _say_about(task)
    return task


def _link(key: str, shown: str) -> None:
    """Callback: the link names what was chosen, and no upload any more: it was in the format of another task."""
    st.query_params.pop(FILE, None)
    keep_in_link(key, st.session_state[shown], unless=st.session_state[shown] == _FIRST)


def in_order() -> list[Task]:
    return sorted(TASKS.values(), key=lambda task: (_TOPICS.index(task.topic), task.name != _FIRST, task.title))


def _linked(key: str, tasks: Mapping[str, Task | Suite]) -> str:
    """The task that a link names, or the first; an error if a link asks for a benchmark that is not there."""
    name = st.query_params.get(key) or _FIRST
    known = {task.title: name for name, task in tasks.items()} | {name: name for name in tasks}
    if name not in known:
        notices.error(unknown("benchmark", name, list(tasks)))
    return known.get(name, _FIRST)


def _where(task: Task) -> str:
    if not (known := of_task(task.name)):
        return ""
    if path_of(known[0]):
        return "here"
    return f"download {megabytes(known[0])}" if known[0].fetchable else "bring your copy"


def _last_scores() -> dict[str, str]:
    runs = resources.store().runs()
    latest = runs[runs["state"] == "done"].drop_duplicates("task")
    scores = {}
    for text in latest["manifest"]:
        manifest = json.loads(text)
        if value := headline_of(manifest).partition(" (")[0]:
            model = short_names([manifest["model"]])[manifest["model"]]
            scores[manifest["task"]] = f"last here {value} of {manifest['data']} ({model})"
    return scores


def _say_about(task: Task) -> None:
    about = task.about
    for whole in of_task(task.name)[:1]:
        licence = "no licence stated" if whole.needs_consent else f"licence {whole.licence}"
        about += f" {', '.join(filter(None, (whole.items, megabytes(whole), licence)))}."
    notices.text(about, "pl-quiet")
