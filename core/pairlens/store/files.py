"""Atomic writes of files, and reading, hashing and remembering them; any change to a JSON document is seen."""

import contextlib
import hashlib
import json
import logging
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pairlens.errors import StoreError
from pairlens.identity import canonical, digest

FORMAT = 2
_T = TypeVar("_T")
log = logging.getLogger(__name__)
DAMAGED = ".damaged"
_LONGEST_ENDING = 40
_REMEMBERED = 16_384
_SEAL, _KIND = "seal", "sha256:"
_KEY, _CHECK = re.compile(r"[0-9a-f]{64}"), 16


def check_format(path: Path, document: Mapping[str, Any]) -> None:
    """StoreError if the object in this file states another format than is read here; one without is damaged."""
    version = document.get("format", FORMAT)
    if version == FORMAT:
        return
    older = isinstance(version, int) and version < FORMAT
    todo = "set PAIRLENS_HOME to another folder and run it again" if older else "update Pairlens"
    raise StoreError(
        f"{path} has format {version}, this version of Pairlens reads {FORMAT}: {todo}. Nothing in it is changed."
    )


@contextmanager
def system_errors(path: Path, done: str) -> Iterator[None]:
    """StoreError, in one sentence, where the system does not let a file be read, written or deleted (`done`)."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be {done}: {error.strerror or error}.") from error


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`, in the end synced and renamed over it. StoreError if it cannot be written."""
    with system_errors(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(path.suffix[-_LONGEST_ENDING:], f".{os.getpid()}-", path.parent)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            _sync(temporary)
            temporary.replace(path)
            _sync(path.parent)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Write a readable, sealed JSON document: indented, sorted keys, UTF-8."""
    sealed = {**value, _SEAL: _seal(json.loads(json.dumps(value)))}
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(sealed, indent=1, sort_keys=True, ensure_ascii=False), "utf-8")


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in a JSON document, without its seal; None if the file is missing or damaged. StoreError if it
    cannot be read now.

    One without a seal is read, so that an older format can be refused. Damage to one place cannot make a sealed
    document look like it: both the name and the value of a seal show what it is.
    """
    return _value(_content(path))


def read_or_set_aside(path: Path) -> dict[str, Any] | None:
    content = _content(path)
    value = _value(content)
    if content is not None and value is None and _content(path) == content:  # nobody has replaced it meanwhile
        log.warning("%s is damaged: set aside.", path)
        set_aside(path)
    return value


def if_readable(read: Callable[[Path], _T | None], path: Path) -> _T | None:
    """`read(path)`; None, with a warning, if the file cannot be read now."""
    try:
        return read(path)
    except StoreError as error:
        log.warning("%s", error)
        return None


def _content(path: Path) -> bytes | None:
    with system_errors(path, "read"), contextlib.suppress(FileNotFoundError):
        return path.read_bytes()
    return None


def _value(content: bytes | None) -> dict[str, Any] | None:
    if content is None:
        return None
    try:
        value = json.loads(content.decode("utf-8"))
        if not isinstance(value, dict):
            return None
        if not any(name == _SEAL or (isinstance(one, str) and one.startswith(_KIND)) for name, one in value.items()):
            return value
        return value if value.pop(_SEAL, None) == _seal(value) else None
    except (ValueError, RecursionError):
        return None


def _seal(value: Mapping[str, object]) -> str:
    return _KIND + digest(canonical(value))


def set_aside(path: Path) -> None:
    """Rename a damaged file: its contents no longer count, but stay for inspection until `store gc`."""
    with contextlib.suppress(OSError):  # another process was first, or nothing can be written
        aside = path.replace(path.with_suffix(DAMAGED))
        os.utime(aside)


def secret(folder: Path) -> str:
    """The random secret of the store in this folder, made at its first use, for hashes of confidential texts.
    StoreError if it is damaged, which the start of its sha256 behind it shows.
    """
    path = folder / ".secret"
    if not path.exists():
        with replacing(path.with_name(f".secret-{os.getpid()}")) as temporary:
            key = secrets.token_hex(32)
            temporary.write_text(f"{key} {digest(key)[:_CHECK]}", "utf-8")
            with contextlib.suppress(FileExistsError):  # another process was first: its secret counts
                os.link(temporary, path)
        path.with_name(f".secret-{os.getpid()}").unlink(missing_ok=True)
    key, _, check = (_content(path) or b"").decode("utf-8", "replace").partition(" ")
    if not _KEY.fullmatch(key) or check not in ("", digest(key)[:_CHECK]):
        raise StoreError(
            f"{path} is damaged: restore it from a backup, or delete it; with another one, nobody finds her uploads "
            "and runs any more, and confidential texts are scored again."
        )
    return key


def sha256(path: Path) -> str:
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
