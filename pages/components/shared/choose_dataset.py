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
from pages.components.shared.fetch_dataset import show_fetching
from pages.components.shared.given_files import given_file
from pages.components.shared.resources import read_file
from pages.components.shared.rights import may_name_paths
from pages.components.shared.rights import path_of as named_path

SAMPLE, UPLOAD, PATH = "Our sample", "Upload", "Path"
FILE = "file"
"""In the link: the id of what was uploaded."""


def choose_dataset(
    task: Task, key: str = "data", samples: Mapping[str, Path] | None = None, expected: str = ""
) -> Path | None:
    """A file or folder in the task's format; None, and what to do next, while nothing has been given.

    `samples` are ours by name, where the task has more than one; `expected` says what files are taken.
    """
    sets = of_task(task.name)
    here = {known.title: path for known in sets if (path := path_of(known))}
    listed: dict[str, Path | None] = {
        **(samples or {SAMPLE: sample(task)}),
        **{known.title: None for known in sets[:1]},
        **here,
    }
    paths = [PATH] if may_name_paths(key, PATH) else []
    source = st.segmented_control(
        "Data", (*listed, UPLOAD, *paths), default=next(iter(listed)), required=True, key=key, bind="query-params"
    )
    if source in listed:
        if not (path := listed[source]):
            show_fetching(sets[0])
        return path
    label = expected or f"Files in the format of {task.title}; text also as .gz or .xz"
    given = source == UPLOAD
    path = given_file(label, f"{task.name}_files", FILE, several=True) if given else _typed(task)
    if path and path.exists() and not isinstance(task, Pairs):
        with suppress(InputError):  # said when the items are read
            for said in read_file(path, guesses, path):
                notices.note(said)
    return path


def _typed(task: Task) -> Path | None:
    path = st.text_input(
        "A file, or a folder of files, on the machine that runs Pairlens",
        key="path",
        bind="query-params",
        placeholder=f"/home/me/{task.name}/data",
    )
    return named_path(path)
