"""Whether the store is whole: every file of every part against its sha256, every run by reading it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.store.files import read_json
from core.store.parts import Part
from core.store.removal import collect_garbage, folders
from core.store.store import Store

__all__ = ["Finding", "collect_garbage", "verify"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What `verify` says: whole parts, the requests in them, the side files of parts that were set aside, and the
    files of runs that cannot be read.
    """

    parts: int
    requests: int
    damaged: tuple[Path, ...]
    runs: tuple[Path, ...]


def verify(store: Store) -> Finding:
    """Check the sha256 of every file of every part, and that the files of every run can be read.

    Damaged parts are set aside; their texts are scored again.
    """
    whole: list[Part] = []
    damaged: list[Path] = []
    for folder in folders(store):
        whole += [part for part in store.parts(folder.name) if part.whole()]
        damaged += sorted(folder.glob("*.damaged"))
    return Finding(
        len(whole), sum(part.about["requests"] for part in whole), tuple(damaged), tuple(_damaged_runs(store))
    )


def _damaged_runs(store: Store) -> Iterator[Path]:
    """Files of runs that are not what a run's file is."""
    for path in sorted((store.folder / "runs").glob("[!.]*/manifest.json")):
        if "run_id" not in (read_json(path) or {}):
            yield path
        for table in sorted(path.parent.glob("[!.]*.parquet")):
            try:
                pq.read_table(table)
            except (pa.ArrowInvalid, OSError):
                yield table
