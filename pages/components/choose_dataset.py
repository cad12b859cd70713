"""Which items: the sample that ships, files from the visitor, or a path on the machine that runs Pairlens."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core import uploads
from core.datasets import datasets
from core.errors import PairlensError
from core.types import Task
from core.zero_shot import sample
from pages.components import notices

SAMPLE, UPLOAD, PATH = "Our sample", "Upload", "Path"


def choose_dataset(task: Task, key: str = "data") -> Path | None:
    """A file or folder in the task's format; None, and what to do next, while nothing has been given."""
    source = st.segmented_control(
        "Data", (SAMPLE, UPLOAD, PATH), default=SAMPLE, required=True, key=key, bind="query-params"
    )
    if source == SAMPLE:
        return sample(task)
    _say_where(task)
    return _uploaded(task) if source == UPLOAD else _typed(task)


def _say_where(task: Task) -> None:
    if known := datasets().get(task.name):
        notices.write(
            'Not on this machine yet? $size, $licence: <a href="$address" target="_blank">$address</a>', "pl-quiet",
            size=known.size, licence=known.licence, address=known.address,
        )  # fmt: skip


def _uploaded(task: Task) -> Path | None:
    label = f"Files in the format of {task.title}; text also as .gz or .xz"
    files = st.file_uploader(label, accept_multiple_files=True, key=f"{task.name}_files")
    if not files:
        return None
    try:
        return uploads.keep([(file.name, file.getvalue()) for file in files])
    except PairlensError as wrong:
        notices.error(wrong)
        return None


def _typed(task: Task) -> Path | None:
    path = st.text_input(
        "A file, or a folder of files, on the machine that runs Pairlens",
        key="path",
        bind="query-params",
        placeholder=f"/home/me/{task.name}/data",
    )
    return Path(path.strip()).expanduser() if path and path.strip() else None
