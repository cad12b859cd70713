"""Disk usage of the store: by model and task, and what cleaning and compaction could change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.store.compaction import is_merged
from core.store.deleted import FOLDER
from core.store.files import bytes_in
from core.store.keys import marks_in, share
from core.store.parts import Part, all_parts, in_use
from core.store.removal import UNUSED, folders, leftovers, size, unused
from core.store.runs import whole
from core.store.store import Store
from core.store.visitors import EVERYTHING

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
        aside += bytes_in(_aside(folder))
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


def _aside(folder: Path) -> set[Path]:
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
