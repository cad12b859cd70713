"""Where a data set is: among those that were fetched, in the mirror folder, or not on this machine.

A fetched set lies in a folder of its name below `settings().datasets`, laid out as in its repository; what the user
has to bring may be put there too, or anywhere else. A mirror is a folder of the user's or of an institution
(`PAIRLENS_MIRROR`) that holds the files of a set in the same layout, each also as `.gz`.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Literal

from core.errors import InputError, StoreError
from core.files.datasets.catalogue import Dataset, catalogue
from core.settings import program, settings

State = Literal["here", "mirror", "absent", "bring"]


def state(dataset: Dataset) -> State:
    """`here`; `mirror` if the mirror folder has all of its files; `bring` if only its user can; else `absent`."""
    if path_of(dataset):
        return "here"
    if not dataset.fetchable:
        return "bring"
    return "mirror" if all(mirrored(dataset, path) for path in dataset.files) else "absent"


def path_of(dataset: Dataset) -> Path | None:
    """The file or folder that the set's task reads, if the set is here; files are known by their sizes."""
    folder = folder_of(dataset)
    if dataset.fetchable:
        whole = all(_size(folder / path) == file.size for path, file in dataset.files.items())
    else:
        whole = folder.is_dir() and any(not file.name.startswith(".") for file in folder.iterdir())
    return folder / dataset.reads if whole else None


def folder_of(dataset: Dataset) -> Path:
    """Where the set lies when it has been fetched, and where a copy may be put that its user brings."""
    return settings().datasets / dataset.name


def unfinished(dataset: Dataset) -> Path:
    """Where its files are gathered until all of them are there."""
    return settings().datasets / f".{dataset.name}"


def mirrored(dataset: Dataset, path: str) -> Path | None:
    """A file of the set in the mirror folder, as it is or as `.gz`; None if it is not there."""
    root = settings().mirror
    if root is None:
        return None
    file = root.expanduser() / dataset.mirror / path
    return next((found for found in (file, file.with_name(f"{file.name}.gz")) if found.is_file()), None)


def located(path: Path) -> Path:
    """Data that a user named: a path as it is, or that of the data set of this name, if there is no such path.

    Raises InputError, with what to do, for a data set that is not here.
    """
    dataset = catalogue().get(str(path))
    if dataset is None or path.exists():
        return path
    if found := path_of(dataset):
        return found
    todo = f"{program()} data get {dataset.name}" if dataset.fetchable else dataset.bring
    raise InputError(f"this data set is not here: {todo}", dataset.name)


def name_of(path: Path) -> str:
    """The name of the fetched data set that a path belongs to, as its task reads it; empty for any other path."""
    root = settings().datasets.resolve()
    below = path.resolve()
    if not below.is_relative_to(root):
        return ""
    dataset = catalogue().get(below.relative_to(root).parts[0]) if below != root else None
    return dataset.name if dataset and below == root / dataset.name / dataset.reads else ""


def remove(dataset: Dataset) -> None:
    """Delete what was fetched of a set; nothing if that is nothing.

    Raises InputError for a set that its user brought, StoreError if the folder cannot be deleted.
    """
    folders = [folder for folder in (folder_of(dataset), unfinished(dataset)) if folder.exists()]
    if folders and not dataset.fetchable:
        raise InputError("this copy is yours and is not on the network: delete the folder yourself", str(folders[0]))
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise StoreError(f"{folder} cannot be deleted: {error.strerror or error}.") from error


def _size(path: Path) -> int:
    """A file's size in bytes; -1 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return -1
