"""One at a time for whoever changes a run that is there: its remarks, its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from core.errors import StoreError
from core.store.store import Store

_SECONDS = 10.0


@contextmanager
def changing_runs(store: Store) -> Iterator[None]:
    """Nobody else tags, deletes or restores a run inside; StoreError if somebody has been at it for ten seconds."""
    folder = store.folder / "runs"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=_SECONDS):
            yield
    except Timeout:
        raise StoreError("Another process is still changing runs: try again in a moment.") from None
    except OSError as error:
        raise StoreError(f"{folder} cannot be changed: {error.strerror or error}.") from error
