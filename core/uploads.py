"""Files that visitors gave us, kept under the hash of what they hold: the same files are the same data set."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.settings import settings
from core.store.files import replacing


def keep(files: Sequence[tuple[str, bytes]]) -> Path:
    """Store files by name and content; returns the file if there is one, else the folder that holds all of them.

    Raises InputError for an empty file, one that is too large and two of one name, StoreError if the disk is full.
    """
    state = hashlib.sha256()
    names = [_plain(name) for name, _ in files]
    for name, (_, content) in sorted(zip(names, files, strict=True)):
        if not content:
            raise InputError("the file is empty", name)
        if len(content) > settings().max_upload_mb * 1_000_000:
            raise InputError(
                f"larger than {settings().max_upload_mb} MB, the limit for uploads (max_upload_mb)", name
            )
        if names.count(name) > 1:
            raise InputError("two files have this name: rename one of them", name)
        state.update(f"{name}\0{len(content)}\0".encode())
        state.update(content)
    folder = settings().uploads / state.hexdigest()[:16]
    for name, (_, content) in zip(names, files, strict=True):
        with replacing(folder / name) as temporary:
            temporary.write_bytes(content)
    return folder / names[0] if len(names) == 1 else folder


def _plain(name: str) -> str:
    """The last part of a file name, whatever the visitor's system separates parts with."""
    return name.replace("\\", "/").rpartition("/")[2].lstrip(".") or "file"
