"""Visitors' files, kept under the hash of their contents: the same files are the same data set."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.errors import InputError, StoreError
from core.messages import Message
from core.settings import settings
from core.store.files import replacing

_FOLDER = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Upload:
    """Files uploaded together, and the last time they were; `path` is the file, or the folder of several."""

    path: Path
    files: tuple[Path, ...]
    size: int
    when: datetime

    @property
    def id(self) -> str:
        """`path` below the folder of uploads, for links."""
        return self.path.relative_to(settings().uploads).as_posix()

    @property
    def name(self) -> str:
        """The file's name, or those of all files."""
        return ", ".join(file.name for file in self.files)


def keep(files: Sequence[tuple[str, bytes]]) -> Path:
    """Store files by name and content; returns the file if it is the only one, else the folder.

    Raises InputError for an empty or too large file and for two of one name, StoreError if the disk is full.
    """
    state = hashlib.sha256()
    names = [_plain(name) for name, _ in files]
    for name, (_, content) in sorted(zip(names, files, strict=True)):
        if not content:
            raise InputError(Message("the file is empty"), name)
        if len(content) > settings().max_upload_mb * 1_000_000:
            raise InputError(
                Message(
                    "larger than {limit} MB, the limit for uploads (max_upload_mb)", limit=settings().max_upload_mb
                ),
                name,
            )
        if names.count(name) > 1:
            raise InputError(Message("two files have this name: rename one of them"), name)
        state.update(f"{name}\0{len(content)}\0".encode())
        state.update(content)
    folder = settings().uploads / state.hexdigest()[:16]
    for name, (_, content) in zip(names, files, strict=True):
        with replacing(folder / name) as temporary:
            temporary.write_bytes(content)
    return folder / names[0] if len(names) == 1 else folder


def kept() -> list[Upload]:
    """The uploads on this machine, newest first."""
    folders = settings().uploads.glob("*")
    found = [_upload(folder) for folder in folders if folder.is_dir() and _FOLDER.fullmatch(folder.name)]
    return sorted((one for one in found if one.files), key=lambda one: one.when, reverse=True)


def remove(upload: Upload) -> None:
    """Delete these files; StoreError if they cannot be deleted."""
    folder = upload.files[0].parent
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise StoreError(f"{folder} cannot be deleted: {error.strerror or error}.") from error


def _upload(folder: Path) -> Upload:
    files = tuple(sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")))
    states = [file.stat() for file in files]
    latest = max((state.st_mtime for state in states), default=0.0)
    path = files[0] if len(files) == 1 else folder
    return Upload(path, files, sum(state.st_size for state in states), datetime.fromtimestamp(latest).astimezone())


def _plain(name: str) -> str:
    """The last part of a path from any system, as a valid file name."""
    last = name.replace("\\", "/").rpartition("/")[2].lstrip(".")
    return "".join(sign if sign.isprintable() else "_" for sign in last) or "file"
