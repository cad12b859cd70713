"""sha256 of files, remembered, so that a model's weights are read only once for its identity.

A digest is kept under the file's path, size, modification time and inode, in a small file that is renamed when it is
whole. With it stands a hash of it and of these: a record that is damaged, or another file's, does not count.
"""

import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path

from pairlens import identity
from pairlens.models import checkpoint
from pairlens.settings import settings

_SETTLED_SECONDS = 2.0
_RECENT_SECONDS = 60.0
"""So long what this process has read is taken as read: it would come out of the same memory again."""
_NAMES_AND_VERSIONS = frozenset({"_name_or_path", "name_or_path", "_commit_hash", "transformers_version"})

_reads_again = ContextVar("reads_again", default=False)
_recent: dict[tuple[str, int], tuple[float, str]] = {}
"""By file and the last change of its inode, which nobody can set back: when it was read, and its digest."""


@contextlib.contextmanager
def read_again() -> Iterator[None]:
    """Meanwhile, in this thread, digests are those of the files now or a minute ago, whatever is remembered."""
    before = _reads_again.set(True)
    try:
        yield
    finally:
        _reads_again.reset(before)


def of_file(path: Path) -> str:
    path = path.resolve()
    status = path.stat()
    known = f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}"
    memory = settings().cache / "digests" / identity.digest(known)
    read, digest = _recent.get((known, status.st_ctime_ns), (-math.inf, ""))
    if time.monotonic() - read < _RECENT_SECONDS:
        return digest
    with contextlib.suppress(OSError):
        record = memory.read_bytes()
        if not _reads_again.get() and record == _record(digest := record[:64].decode("ascii", "replace"), known):
            return digest
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    # A file changed twice within the clock's resolution keeps its times: only settled files are remembered.
    if time.time() - status.st_mtime > _SETTLED_SECONDS:
        _remember(memory, _record(digest, known))
    if time.time() - status.st_ctime > _SETTLED_SECONDS:
        _recent[known, status.st_ctime_ns] = time.monotonic(), digest
    return digest


def of_files(paths: Iterable[Path]) -> str:
    listing = []
    for path in sorted(paths, key=lambda path: path.name):
        is_settings = path.name == "tokenizer_config.json"
        digest = of_settings(checkpoint.read_json(path, path.parent.name)) if is_settings else of_file(path)
        listing.append(f"{path.name}:{digest}")
    return identity.digest("\n".join(listing))


def of_settings(values: Mapping[str, object]) -> str:
    relevant = {key: value for key, value in values.items() if key not in _NAMES_AND_VERSIONS}
    return identity.digest(json.dumps(relevant, sort_keys=True))


def _record(digest: str, known: str) -> bytes:
    return f"{digest} {identity.digest(f'{known}{chr(0)}{digest}')}".encode("utf-8", "replace")


def _remember(memory: Path, record: bytes) -> None:
    """Keep a record if possible; under a read-only home the digest is computed each time."""
    temporary = memory.with_name(f".{os.getpid()}-{time.monotonic_ns()}")
    with contextlib.suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(record)
        temporary.replace(memory)
