"""Which items: our sample, a public set that was fetched, files from the visitor, or a path on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import streamlit as st

from core.errors import InputError
from core.files.datasets import of_task, path_of
from core.files.tables import guesses
from core.runs.zero_shot import sample
from core.tasks.pairs import Pairs
from core.types import Task
from pages.components.shared import notices
from pages.components.shared.keep_uploads import keep_uploads

SAMPLE, UPLOAD, PATH = "Our sample", "Upload", "Path"


def choose_dataset(
    task: Task, key: str = "data", samples: Mapping[str, Path] | None = None, expected: str = ""
) -> Path | None:
    """A file or folder in the task's format; None, and what to do next, while nothing has been given.

    `samples` are ours by name, where the task has more than one; `expected` says what files are taken.
    """
    here = {known.title: path for known in of_task(task.name) if (path := path_of(known))}
    listed = {**(samples or {SAMPLE: sample(task)}), **here}
    source = st.segmented_control(
        "Data", (*listed, UPLOAD, PATH), default=next(iter(listed)), required=True, key=key, bind="query-params"
    )
    if source in listed:
        return listed[source]
    _say_where(task)
    label = expected or f"Files in the format of {task.title}; text also as .gz or .xz"
    path = _uploaded(task, label) if source == UPLOAD else _typed(task)
    if path and path.exists() and not isinstance(task, Pairs):
        with suppress(InputError):  # said when the items are read
            for said in guesses(path):
                notices.note(said)
    return path


def _say_where(task: Task) -> None:
    if (known := of_task(task.name)) and not path_of(known[0]):
        notices.write(
            "Not on this machine yet? $items, $licence.", "pl-quiet", items=known[0].items, licence=known[0].licence
        )
        st.page_link(
            "pages/data.py", label="See it under Data", icon=":material/database:",
            query_params={"shelf": "Public sets", "set": known[0].name},
        )  # fmt: skip


def _uploaded(task: Task, label: str) -> Path | None:
    files = st.file_uploader(label, accept_multiple_files=True, key=f"{task.name}_files")
    return keep_uploads(files) if files else None


def _typed(task: Task) -> Path | None:
    path = st.text_input(
        "A file, or a folder of files, on the machine that runs Pairlens",
        key="path",
        bind="query-params",
        placeholder=f"/home/me/{task.name}/data",
    )
    return Path(path.strip()).expanduser() if path and path.strip() else None
