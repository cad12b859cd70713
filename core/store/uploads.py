"""Visitors' files, kept under a keyed hash of their contents.

The same files are the same data set, and nobody who knows a file can tell whether, or under which id, it is here.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.errors import InputError, StoreError
from core.messages import Message
from core.settings import settings
from core.store.files import replacing, secret

_FOLDER = re.compile(r"[0-9a-f]{16}|[0-9a-f]{32}")
"""How an upload's folder is called. A name of 16 digits is from before a secret went into it."""


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
    names = [_plain(name) for name, _ in files]
    named = sorted(zip(names, (content for _, content in files), strict=True))
    for name, content in named:
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
    folder = settings().uploads / _id(named)
    for name, content in named:
        with replacing(folder / name) as temporary:
            temporary.write_bytes(content)
    return folder / names[0] if len(names) == 1 else folder


def find(identifier: str) -> Path | None:
    """The file or folder that `Upload.id` names; None if it was not uploaded here."""
    return next((one.path for one in kept() if one.id == identifier), None)


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


def _id(files: Sequence[tuple[str, bytes]]) -> str:
    state = hmac.new(secret(settings().home).encode(), digestmod=hashlib.sha256)
    for name, content in files:
        state.update(f"{name}\0{len(content)}\0".encode())
        state.update(content)
    return state.hexdigest()[:32]


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
