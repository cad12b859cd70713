"""Locks: one process at a time for whatever changes runs and sweeps, or moves what others may be reading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import StoreError
from core.store.store import Store


def maintenance_lock(store: Store) -> AbstractContextManager[None]:
    """Excludes other compactions and cleanings; StoreError after a minute of waiting."""
    busy = "Another process is still tidying the store: try again when it has finished."
    return locked(store.folder / ".upkeep.lock", 60.0, busy)


def changing_runs(store: Store) -> AbstractContextManager[None]:
    """Nobody else tags, deletes or restores a run meanwhile; StoreError after ten seconds of waiting."""
    busy = "Another process is still changing runs: try again in a moment."
    return locked(store.folder / "runs" / ".lock", 10.0, busy)


@contextmanager
def locked(file: Path, seconds: float, busy: str) -> Iterator[None]:
    """Hold a lock file, whose folder is made; StoreError `busy` after so many seconds, or if the disk refuses."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(file, timeout=seconds):
            yield
    except Timeout:
        raise StoreError(busy) from None
    except OSError as error:
        raise StoreError(f"{file.parent} cannot be changed: {error.strerror or error}.") from error
