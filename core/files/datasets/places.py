"""Where a data set is: fetched, in the mirror folder, or not on this machine.

A fetched set has a folder of its name below `settings().datasets`, laid out as in its repository; a set that the user
has to bring may be put there too, or anywhere else. A mirror (`PAIRLENS_MIRROR`) is a folder of the user or of an
institution with the files of a set in the same layout, plain or as `.gz`.
"""

import hashlib
import logging
import shutil
from functools import lru_cache
from pathlib import Path
from typing import Literal

from core.errors import InputError, StoreError
from core.files.datasets.catalogue import Dataset, File, catalogue
from core.settings import program, settings

log = logging.getLogger(__name__)
State = Literal["here", "mirror", "absent", "bring"]


def state(dataset: Dataset) -> State:
    """`here`; `mirror` if the mirror folder has all of its files; `bring` if only its user can; else `absent`."""
    if path_of(dataset):
        return "here"
    if not dataset.fetchable:
        return "bring"
    return "mirror" if all(mirrored(dataset, path) for path in dataset.files) else "absent"


def path_of(dataset: Dataset) -> Path | None:
    """The file or folder that the set's task reads, if the set is here; of fetched ones every byte is checked."""
    folder = folder_of(dataset)
    if dataset.fetchable:
        whole = all(_is(folder / path, file) for path, file in dataset.files.items())
    else:
        whole = folder.is_dir() and any(not file.name.startswith(".") for file in folder.iterdir())
    return folder / dataset.reads if whole else None


def folder_of(dataset: Dataset) -> Path:
    """The folder of the fetched set, where its user may also put a copy."""
    return settings().datasets / dataset.name


def unfinished(dataset: Dataset) -> Path:
    """The folder in which its files are gathered until all are there."""
    return settings().datasets / f".{dataset.name}"


def mirrored(dataset: Dataset, path: str) -> Path | None:
    """A file of the set in the mirror folder, as it is or as `.gz`; None if it is not there."""
    root = settings().mirror
    if root is None:
        return None
    file = root.expanduser() / dataset.mirror / path
    return next((found for found in (file, file.with_name(f"{file.name}.gz")) if found.is_file()), None)


def mirroring(dataset: Dataset) -> str:
    """How a mirror folder would give the set; names the first file that one lacks."""
    if (root := settings().mirror) is None:
        return f"set PAIRLENS_MIRROR to a folder with its files in {dataset.mirror}/, plain or as .gz"
    lacking = [path for path in dataset.files if not mirrored(dataset, path)]
    more = f" and {len(lacking) - 1:,} more of {len(dataset.files):,} files" if len(lacking) > 1 else ""
    folder = root.expanduser() / dataset.mirror
    return f"add {lacking[0]}{more} to the mirror folder {folder}, where PAIRLENS_MIRROR looks"


def located(path: Path) -> Path:
    """The path itself, or, if there is none, that of the data set of this name; InputError if it is not here."""
    dataset = catalogue().get(str(path))
    if dataset is None or path.exists():
        return path
    if found := path_of(dataset):
        return found
    todo = f"{program()} data get {dataset.name}" if dataset.fetchable else dataset.bring
    raise InputError(f"this data set is not here: {todo}", dataset.name)


def name_of(path: Path) -> str:
    """The name of the fetched data set whose task reads this path; empty for any other path."""
    root = settings().datasets.resolve()
    below = path.resolve()
    if not below.is_relative_to(root):
        return ""
    dataset = catalogue().get(below.relative_to(root).parts[0]) if below != root else None
    return dataset.name if dataset and below == root / dataset.name / dataset.reads else ""


def remove(dataset: Dataset) -> None:
    """Delete the fetched files of a set; InputError if its user brought it, StoreError if that fails."""
    folders = [folder for folder in (folder_of(dataset), unfinished(dataset)) if folder.exists()]
    if folders and not dataset.fetchable:
        raise InputError("this copy is yours and is not on the network: delete the folder yourself", str(folders[0]))
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise StoreError(f"{folder} cannot be deleted: {error.strerror or error}.") from error


def _is(path: Path, file: File) -> bool:
    try:
        state = path.stat()
        return state.st_size == file.size and _intact(path, file.sha256, state.st_mtime_ns, state.st_ino)
    except OSError:
        return False


@lru_cache(maxsize=4096)
def _intact(path: Path, expected: str, _time: int, _inode: int) -> bool:
    """Whether a file has this sha256; read again in this process when the file changes."""
    with path.open("rb") as stream:
        intact = hashlib.file_digest(stream, "sha256").hexdigest() == expected
    if not intact:
        log.warning("%s is damaged or changed: it is fetched again when its data set is asked for.", path)
    return intact
