"""Keeping the store whole and small: check every part, drop scores that nothing names any more."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from core.settings import settings
from core.store.parts import Part
from core.store.store import Store


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
    for fingerprint in store.fingerprints():
        for part in store.parts(fingerprint):
            if all([part.verified(table) for table in ("scores", "tokens")]):
                whole.append(part)
        damaged += sorted((store.folder / "scores" / fingerprint).glob("*.damaged"))
    return Finding(len(whole), sum(part.about["requests"] for part in whole), tuple(damaged))


def collect_garbage(store: Store) -> tuple[int, int]:
    """Delete parts that no run names and that are older than `settings().gc_days`; returns parts and bytes.

    Parts that were set aside go too once they are old. A part is kept whole while any of its requests is named.
    """
    named = _named_keys(store)
    deleted = freed = 0
    for fingerprint in store.fingerprints():
        folder = store.folder / "scores" / fingerprint
        for part in store.parts(fingerprint):
            if part.side.is_relative_to(folder) and _old(part.side) and not _keys(part) & named:
                freed += _remove(part)
                deleted += 1
        for aside in folder.glob("*.damaged"):
            if _old(aside):
                freed += _remove(Part(aside.with_suffix(".json"), {})) + aside.stat().st_size
                aside.unlink()
                deleted += 1
        with suppress(OSError):  # only an empty folder goes: another process may be writing into it
            folder.rmdir()
    return deleted, freed


def _named_keys(store: Store) -> set[str]:
    named: set[str] = set()
    for path in (store.folder / "runs").glob("*/items.parquet"):
        named.update(pq.read_table(path, columns=["request_key"]).column(0).to_pylist())
    return named


def _keys(part: Part) -> set[str]:
    path = part.verified("scores")
    return set(pq.read_table(path, columns=["request_key"]).column(0).to_pylist()) if path else set()


def _old(path: Path) -> bool:
    return time.time() - path.stat().st_mtime > settings().gc_days * 86_400


def _remove(part: Part) -> int:
    """Delete a part, the side file first, so that no reader meets a part without its files."""
    freed = 0
    for path in (part.side, part.file("scores"), part.file("tokens")):
        if path.exists():
            freed += path.stat().st_size
            path.unlink()
    return freed
