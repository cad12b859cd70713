"""Integrity checks: the seal of every document, the sha256 of every table; what is mended, and what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pyarrow.parquet as pq

from core.errors import PairlensError, StoreError
from core.messages import counted
from core.settings import program, settings
from core.store import catalog, sweeps, visitors
from core.store.files import DAMAGED, known_json, set_aside
from core.store.jobs.folder import all_jobs
from core.store.parts import Part
from core.store.removal import folders
from core.store.run_annotations import FILE, annotations_of
from core.store.runs import whole
from core.store.store import Store

_NAMED = 5
"""How many names a sentence lists."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of `verify`: the numbers of intact parts and their requests, the damaged files that are set aside,
    those of `runs` that only another run restores, and those that were damaged and are `mended`.
    """

    parts: int
    requests: int
    damaged: tuple[Path, ...]
    runs: tuple[Path, ...]
    mended: tuple[Path, ...]


def verify(store: Store, recompute: Callable[[Store, str], None] | None = None) -> Finding:
    """Check every file. Damaged parts are set aside, and their texts are scored again; so are sweeps, jobs, and tags
    with notes, which are lost. `recompute` makes a run's damaged numbers again, and `results.duckdb` is built again.
    """
    intact: list[Part] = []
    for folder in folders(store):
        intact += [part for part in store.parts(folder.name) if part.whole()]
    runs, mended = list[Path](), list[Path]()
    for path in list(_damaged_files(store)):
        (mended if recompute and _mended(path, store, recompute) else runs).append(path)
    if not catalog.is_intact(store):
        mended += _built_again(store)
    for path in _of_runs(store, FILE):
        annotations_of(store, path.parent.name)
    sweeps.sweeps(store)
    all_jobs()
    requests = sum(part.about["requests"] for part in intact)
    return Finding(len(intact), requests, tuple(_aside(store)), tuple(runs), tuple(mended))


def damage(store: Store) -> list[str]:
    """What people must be told of damage to runs, sweeps and jobs: a sentence for each kind. Tables are not read."""
    sentences = []
    if runs := store.damaged_runs():
        sentences.append(
            f"{counted(len(runs), 'run')} cannot be shown, because manifest.json is damaged: {_some(runs)}. Start "
            f"the same run again, which restores it from the stored scores, or delete it ({program()} runs delete "
            f"{runs[0]})."
        )
    lost = [path.parent.name for path in _of_runs(store, FILE.replace(".json", DAMAGED))]
    if lost := sorted(visitors.listed("runs", lost)):
        sentences.append(f"Tags and notes were damaged and are gone: of {counted(len(lost), 'run')} ({_some(lost)}).")
    others = [path for path in _aside(store) if path.parent.name == "sweeps" or path.name == f"job{DAMAGED}"]
    if others and visitors.current() == visitors.EVERYTHING:
        sentences.append(f"Records of sweeps or jobs were damaged and are set aside: {_some([*map(str, others)])}.")
    return sentences


def _damaged_files(store: Store) -> Iterator[Path]:
    """Manifests and tables of runs that are not what was written."""
    damaged = store.damaged_runs(visitors.EVERYTHING)
    for path in _of_runs(store, "manifest.json"):
        if path.parent.name in damaged:
            yield path
            continue
        with suppress(FileNotFoundError):  # deleted a moment ago
            stated = [path.with_name(f"{name}.parquet") for name in (known_json(path) or {}).get("sha256", {})]
            for table in sorted({*stated, *path.parent.glob("[!.]*.parquet")}):
                try:
                    with whole(table):
                        pq.read_table(table)
                except (StoreError, FileNotFoundError):
                    yield table


def _mended(path: Path, store: Store, recompute: Callable[[Store, str], None]) -> bool:
    if path.name != "metrics.parquet":
        return False
    with suppress(PairlensError, LookupError, TypeError, ValueError):  # its items are damaged too, or it is newer
        recompute(store, path.parent.name)
        return True
    return False


def _built_again(store: Store) -> list[Path]:
    """`results.duckdb`; set aside, and nothing, if it cannot be built from damaged runs."""
    try:
        return [catalog.build(store)]
    except StoreError:
        set_aside(store.folder / "results.duckdb")
        return []


def _of_runs(store: Store, file: str) -> list[Path]:
    return sorted((store.folder / "runs").glob(f"[!.]*/{file}"))


def _aside(store: Store) -> list[Path]:
    """The damaged files that were set aside."""
    files = [store.folder.glob(f"{below}*{DAMAGED}") for below in ("", "scores/*/", "runs/[!.]*/", "sweeps/")]
    return sorted([*chain(*files), *settings().jobs.glob(f"*/*{DAMAGED}")])


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
