"""Locks: one process at a time for whatever changes runs and sweeps, or moves what others may be reading."""

from __future__ import annotations

from contextlib import AbstractContextManager

from core.files.locks import changing
from core.store.store import Store


def maintenance_lock(store: Store) -> AbstractContextManager[None]:
    """Excludes other compactions and cleanings; StoreError after a minute of waiting."""
    busy = "Another process is still tidying the store: try again when it has finished."
    return changing(store.folder / ".upkeep.lock", 60.0, busy)


def changing_runs(store: Store) -> AbstractContextManager[None]:
    """Nobody else tags, deletes or restores a run meanwhile; StoreError after ten seconds of waiting."""
    busy = "Another process is still changing runs: try again in a moment."
    return changing(store.folder / "runs" / ".lock", 10.0, busy)
