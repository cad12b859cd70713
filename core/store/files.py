"""Atomic writes of files, and reading, hashing and remembering them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from core.errors import StoreError

_T = TypeVar("_T")
_REMEMBERED = 16_384
"""The number of files whose contents a process remembers."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`; on success it is synced and renamed over `path`, on failure removed.

    Raises StoreError when the disk is full or the folder cannot be written.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{os.getpid()}-", suffix=path.suffix)
        os.close(handle)
        temporary = Path(name)
        yield temporary
        _sync(temporary)
        temporary.replace(path)
        _sync(path.parent)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, value: object) -> None:
    """Write readable JSON: indented, sorted keys, UTF-8."""
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False), "utf-8")


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file, or None if the file is missing or holds anything else."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def secret(folder: Path) -> str:
    """The random secret of the store in this folder, made at its first use.

    Hashes of confidential texts include it, so that nobody can guess a text from its hash without the store.
    """
    path = folder / ".secret"
    if not path.exists():
        with replacing(path.with_name(f".secret-{os.getpid()}")) as temporary:
            temporary.write_text(secrets.token_hex(32), "utf-8")
            with contextlib.suppress(FileExistsError):  # another process was first: its secret counts
                os.link(temporary, path)
        path.with_name(f".secret-{os.getpid()}").unlink(missing_ok=True)
    return path.read_text("utf-8")


def sha256(path: Path) -> str:
    """sha256 of a file's bytes, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def bytes_in(files: Iterable[Path]) -> int:
    """The total size of these files and links, without those that are gone."""
    total = 0
    for path in files:
        with contextlib.suppress(FileNotFoundError):
            total += path.lstat().st_size
    return total


def memoised_by_file(check: Callable[[Path], _T]) -> Callable[[Path], _T]:
    """`check(path)`, remembered in this process until the file's size, time or inode changes."""

    @lru_cache(maxsize=_REMEMBERED)
    def remembered(path: Path, _size: int, _time: int, _inode: int) -> _T:
        return check(path)

    def checked(path: Path) -> _T:
        state = path.stat()
        return remembered(path, state.st_size, state.st_mtime_ns, state.st_ino)

    return checked


file_sha256 = memoised_by_file(sha256)

known_json = memoised_by_file(read_json)
"""`read_json` of an existing file, read again when it changes. The result is shared: do not change it."""
