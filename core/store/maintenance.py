"""Integrity checks: the seal of every document, the sha256 of every table; what is mended, and what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.errors import PairlensError, StoreError
from core.messages import counted
from core.settings import program, settings
from core.store import catalog, sweeps, visitors
from core.store.compaction import is_merged
from core.store.files import DAMAGED, bytes_in, known_json, set_aside
from core.store.jobs import all_jobs
from core.store.parts import Part, all_parts, in_use, marks_in, share
from core.store.removal import FOLDER, UNUSED, folders, leftovers, size, unused
from core.store.run_annotations import FILE, annotations_of
from core.store.runs import whole
from core.store.store import Store
from core.store.visitors import EVERYTHING

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


NO_RUN = "no run"
_COLUMNS = ("model", "task", "parts", "requests", "bytes")


@dataclass(frozen=True, slots=True)
class Space:
    """Disk usage in bytes.

    `scores`: one row per model and task (or tasks, if a part serves several; `no run` if it serves none), with the
    numbers of parts and requests. `runs`: the folders of runs; `deleted`: those of deleted runs that can be restored;
    `replaced`: replaced parts, which are deleted after some minutes; `aside`: damaged parts and files of killed
    processes; `tables`: results.duckdb. `unused` of all this would be deleted now: scores that no run refers to and
    what was set aside, once they are old. `small` is the number of parts that could be merged.
    """

    scores: pd.DataFrame
    runs: int
    deleted: int
    replaced: int
    aside: int
    tables: int
    unused: int
    small: int

    def others(self) -> dict[str, int]:
        """Everything but scores in use, by label."""
        return {
            "runs": self.runs,
            "deleted runs, kept today": self.deleted,
            "joined parts, soon deleted": self.replaced,
            "damaged parts and leftovers": self.aside,
            "results.duckdb": self.tables,
        }

    @property
    def total(self) -> int:
        """Everything together."""
        return sum(self.others().values()) + int(self.scores["bytes"].sum())


def space(store: Store) -> Space:
    """The disk usage of the store at this moment."""
    rows: list[dict[str, object]] = []
    replaced = aside = small = 0
    old = sum(map(_bytes, unused(store)))
    runs = store.runs(EVERYTHING)
    for folder in folders(store):
        there = all_parts(folder)
        parts = in_use(there)
        replaced += sum(map(_bytes, there)) - sum(map(_bytes, parts))
        loose = sum(not is_merged(part) for part in parts)
        small += loose if len(parts) > 1 else 0
        aside += bytes_in(_out_of_use(folder))
        old += bytes_in(leftovers(folder))
        of_model = runs[runs["fingerprint"] == folder.name]
        rows += _by_task(parts, _marks_by_task(store, of_model), _model(parts, of_model))
    scores = pd.DataFrame(rows, columns=[*_COLUMNS])
    scores = scores.groupby(["model", "task"], as_index=False).sum().sort_values("bytes", ascending=False)
    kept, deleted = size(store.folder / "runs"), size(store.folder / "runs" / FOLDER)
    return Space(
        scores.reset_index(drop=True),
        runs=kept - deleted,
        deleted=deleted,
        replaced=replaced,
        aside=aside,
        tables=bytes_in([store.folder / "results.duckdb"]),
        unused=old,
        small=small,
    )


def _bytes(part: Part) -> int:
    return bytes_in(part.files())


def _out_of_use(folder: Path) -> set[Path]:
    """The files of damaged parts, and old files of killed processes."""
    sides = [path for ending in ("damaged", UNUSED[1:]) for path in folder.glob(f"[!.]*.{ending}")]
    of_sides = {path for side in sides for path in (side, *Part(side.with_suffix(".json"), {}).files())}
    return of_sides | set(leftovers(folder))


def _marks_by_task(store: Store, runs: pd.DataFrame) -> dict[str, NDArray[np.uint64]]:
    """By task, the sorted marks of the requests of these runs."""
    by_task: dict[str, list[NDArray[np.uint64]]] = {}
    for run_id, task in zip(runs["run_id"], runs["task"], strict=True):
        items = store.folder / "runs" / str(run_id) / "items.parquet"
        if items.exists():
            with whole(items):
                by_task.setdefault(str(task), []).append(marks_in(items))
    return {task: np.sort(np.concatenate(marks)) for task, marks in by_task.items()}


def _model(parts: Sequence[Part], runs: pd.DataFrame) -> str:
    """The model's name in runs or, without a run, in the parts."""
    if len(runs):
        return str(runs["model"].iloc[0])
    return str(parts[0].about["provenance"].get("model", "unknown")) if parts else "unknown"


def _by_task(parts: Sequence[Part], marks: Mapping[str, NDArray[np.uint64]], model: str) -> list[dict[str, object]]:
    """One row per part."""
    rows: list[dict[str, object]] = []
    for part in parts:
        scores = part.verified("scores")
        tasks = [task for task, of_task in marks.items() if scores and share(marks_in(scores), of_task)]
        row = (model, ", ".join(sorted(tasks)) or NO_RUN, 1, part.about["requests"], _bytes(part))
        rows.append(dict(zip(_COLUMNS, row, strict=True)))
    return rows
