"""sha256 of files, remembered, so that a model's weights are read only once for its identity.

A digest is kept under the file's path, size, modification time and inode, one small file each, written to a
temporary name and renamed, so that processes cannot disturb each other.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from core.models import checkpoint
from core.settings import settings

_SETTLED_SECONDS = 2.0
_NAMES_AND_VERSIONS = frozenset({"_name_or_path", "name_or_path", "_commit_hash", "transformers_version"})


def of_file(path: Path) -> str:
    """sha256 of a file's bytes, in hex."""
    path = path.resolve()
    status = path.stat()
    known = f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ino}"
    memory = settings().cache / "digests" / hashlib.sha256(known.encode("utf-8", "surrogateescape")).hexdigest()
    if memory.is_file() and len(digest := memory.read_text("ascii")) == 64:
        return digest
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    # A file changed twice within the clock's resolution keeps its time: only settled files are remembered.
    if time.time() - status.st_mtime > _SETTLED_SECONDS:
        _remember(memory, digest)
    return digest


def of_files(paths: Iterable[Path]) -> str:
    """One digest for several files: their names and contents, in any folder."""
    listing = [f"{path.name}:{_of_content(path)}" for path in sorted(paths, key=lambda path: path.name)]
    return hashlib.sha256("\n".join(listing).encode()).hexdigest()


def of_settings(values: Mapping[str, object]) -> str:
    """Digest of a JSON object without its name and version fields."""
    kept = {key: value for key, value in values.items() if key not in _NAMES_AND_VERSIONS}
    return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()


def _of_content(path: Path) -> str:
    if path.name == "tokenizer_config.json":
        return of_settings(checkpoint.read_json(path, path.parent.name))
    return of_file(path)


def _remember(memory: Path, digest: str) -> None:
    """Keep a digest if possible; under a read-only home it is computed each time."""
    temporary = memory.with_name(f"{memory.name}.{os.getpid()}.{time.monotonic_ns()}")
    with contextlib.suppress(OSError):
        memory.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(digest, "ascii")
        temporary.replace(memory)
