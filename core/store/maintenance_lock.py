"""One at a time for whatever moves or deletes what others may be reading: compaction, cleaning, migration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from core.errors import StoreError
from core.store.store import Store

_SECONDS = 60.0


@contextmanager
def maintenance_lock(store: Store) -> Iterator[None]:
    """Nobody else looks after the store inside; StoreError if somebody has been at it for a minute."""
    try:
        store.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(store.folder / ".upkeep.lock", timeout=_SECONDS):
            yield
    except Timeout:
        raise StoreError("Another process is still tidying the store: try again when it has finished.") from None
    except OSError as error:
        raise StoreError(f"{store.folder} cannot be changed: {error.strerror or error}.") from error
