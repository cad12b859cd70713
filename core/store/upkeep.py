"""Whether the store is whole: every file of every part against its sha256."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.store.parts import Part
from core.store.removal import collect_garbage, folders
from core.store.store import Store

__all__ = ["Finding", "collect_garbage", "verify"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What `verify` says: whole parts, the requests in them, and the side files of parts that were set aside."""

    parts: int
    requests: int
    damaged: tuple[Path, ...]


def verify(store: Store) -> Finding:
    """Check the sha256 of every file of every part. Damaged parts are set aside; their texts are scored again."""
    whole: list[Part] = []
    damaged: list[Path] = []
    for folder in folders(store):
        whole += [part for part in store.parts(folder.name) if part.whole()]
        damaged += sorted(folder.glob("*.damaged"))
    return Finding(len(whole), sum(part.about["requests"] for part in whole), tuple(damaged))
