"""Integrity checks: the sha256 of every file of every part, and a full read of every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.store.files import read_json
from core.store.parts import Part
from core.store.removal import folders
from core.store.store import Store


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of `verify`: the numbers of intact parts and their requests, the side files of damaged parts, and
    the files of runs that cannot be read.
    """

    parts: int
    requests: int
    damaged: tuple[Path, ...]
    runs: tuple[Path, ...]


def verify(store: Store) -> Finding:
    """Check all parts and runs; damaged parts are set aside, and their texts are scored again."""
    intact: list[Part] = []
    damaged: list[Path] = []
    for folder in folders(store):
        intact += [part for part in store.parts(folder.name) if part.whole()]
        damaged += sorted(folder.glob("*.damaged"))
    requests = sum(part.about["requests"] for part in intact)
    return Finding(len(intact), requests, tuple(damaged), tuple(_damaged_runs(store)))


def _damaged_runs(store: Store) -> Iterator[Path]:
    """Manifests and tables of runs that cannot be read."""
    for path in sorted((store.folder / "runs").glob("[!.]*/manifest.json")):
        if "run_id" not in (read_json(path) or {}):
            yield path
        for table in sorted(path.parent.glob("[!.]*.parquet")):
            try:
                pq.read_table(table)
            except (pa.ArrowInvalid, OSError):
                yield table
