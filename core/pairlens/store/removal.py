"""Deletes what is no longer needed: replaced and unused parts, deleted runs, leftover files; follows no links."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import StoreError
from pairlens.settings import settings
from pairlens.store import visitors
from pairlens.store.files import DAMAGED, bytes_in, check_format, read_json
from pairlens.store.parts import Part, all_parts, in_use, marks_in, replaced_in, share
from pairlens.store.processes import alive
from pairlens.store.run_annotations import FILE as REMARKS
from pairlens.store.runs import manifest_path, whole
from pairlens.store.store import Store, changing_runs, maintenance_lock

FOLDER = ".deleted"


@dataclass(frozen=True, slots=True)
class Deleted:
    """A run that was set aside, and the date (UTC)."""

    run_id: str
    title: str
    model: str
    date: str
    folder: Path


def delete(store: Store, *run_ids: str) -> None:
    """Set runs aside; their scores stay as long as the runs can be restored. A sweep loses the points of these runs.

    StoreError, and no run is set aside, if one is missing, still running or somebody else's. Of a run that other
    visitors made too, only the visitor's claim goes.
    """
    unique = dict.fromkeys(run_ids)
    today = store.folder / "runs" / FOLDER / datetime.now(UTC).date().isoformat()
    with changing_runs(store):
        damaged = store.damaged_runs()
        for run_id in unique:
            if run_id not in damaged and store.manifest(run_id)["state"] == "running":
                raise StoreError(f"Run '{run_id}' is still running: stop it first.")
            visitors.demand("runs", run_id)
        today.mkdir(parents=True, exist_ok=True)
        for run_id in unique:
            if visitors.current() and visitors.owners("runs", run_id) - {visitors.current()}:
                visitors.give_up("runs", run_id)
                continue
            if (today / run_id).exists():  # deleted, made again and deleted again on one day
                shutil.rmtree(today / run_id)
            manifest_path(store.folder / "runs", run_id).parent.rename(today / run_id)


def deleted(store: Store) -> list[Deleted]:
    """The runs that whoever asks can still restore, those of the latest day first."""
    folders = (store.folder / "runs" / FOLDER).glob("*/*/manifest.json")
    runs = []
    for path in folders:
        manifest = read_json(path) if visitors.may_change("runs", path.parent.name) else None
        if manifest is not None:  # else another process has just restored or cleared it
            title, model = str(manifest.get("title", "")), str(manifest.get("model", ""))
            runs.append(Deleted(path.parent.name, title, model, path.parent.parent.name, path.parent))
    return sorted(runs, key=lambda run: (run.date, run.run_id), reverse=True)


def restore(store: Store, run_id: str) -> None:
    """Restore a deleted run; StoreError if it is gone for good, or has been made again since."""
    place = manifest_path(store.folder / "runs", run_id).parent
    with changing_runs(store):
        aside = next((one for one in deleted(store) if one.run_id == run_id), None)
        if aside is None:
            raise StoreError(f"There is no deleted run '{run_id}': deleting can be undone until the end of the day.")
        if place.exists():
            raise StoreError(f"Run '{run_id}' has been made again since it was deleted: there is nothing to undo.")
        aside.folder.rename(place)


UNUSED = ".unused"
"""The ending of a side file, instead of `.json`, while its part is being deleted and can still be restored."""
_UNFINISHED = re.compile(r"\.(?P<pid>\d+)-(\w{8}|\d+)(\.\w+)?|\.secret-\d+|\.results\.duckdb\.new")
_TAGS = REMARKS.replace(".json", DAMAGED)
"""Stays: it is the only copy of what somebody wrote, until new tags or a new note replace it."""


@dataclass(frozen=True, slots=True)
class Removed:
    """The number of parts, deleted runs and leftover files that were removed, and the bytes freed."""

    parts: int = 0
    runs: int = 0
    leftovers: int = 0
    freed: int = 0

    def __add__(self, other: Removed) -> Removed:
        return Removed(*(mine + yours for mine, yours in zip(astuple(self), astuple(other), strict=True)))


def collect_garbage(store: Store) -> Removed:
    """Delete deleted runs of past days (UTC); parts that no run refers to, and damaged ones, once they are older than
    `settings().gc_days`; parts that were replaced a while ago; files that killed processes left anywhere in the home.
    """
    today = datetime.now(UTC).date().isoformat()
    with maintenance_lock(store):
        removed = Removed()
        with changing_runs(store):
            for day in (store.folder / "runs" / FOLDER).glob("*"):
                if day.is_symlink() or not day.is_dir() or day.name >= today:
                    continue
                gone = list(day.glob("*/"))
                for run in gone:
                    if not store.has_begun(run.name):  # it may have been made again since
                        visitors.forget("runs", run.name)
                removed += Removed(runs=len(gone), freed=size(day))
                shutil.rmtree(day)
        removed += delete_replaced(store) + _delete_unused(store)
        for folder in folders(store):
            removed += _delete(leftovers(folder))
            with suppress(OSError):  # only an empty folder goes: another process may be writing into it
                folder.rmdir()
        removed += _delete(_of_killed(settings().home if store.folder == settings().store else store.folder))
    return removed


def folders(store: Store) -> list[Path]:
    return [store.folder / "scores" / fingerprint for fingerprint in store.fingerprints()]


def delete_replaced(store: Store) -> Removed:
    """Delete the parts that were replaced long enough ago; any process may do so at any time."""
    removed = Removed()
    for folder in folders(store):
        there = all_parts(folder)
        late = time.time() - settings().replaced_minutes * 60  # what was replaced since may still be read
        gone = replaced_in([part for part in there if part.about.get("replaces", {}).get("at", 0.0) <= late])
        for part in there:
            if part.name in gone:
                removed += Removed(parts=1, freed=part.remove())
    return removed


def marks_named(store: Store) -> NDArray[np.uint64]:
    """The sorted marks (`pairlens.store.parts`) of all requests of runs, also of deleted ones that can be restored.
    StoreError if a run that is not deleted is damaged.
    """
    folder = store.folder / "runs"
    marks = [np.empty(0, np.uint64)]
    for path in folder.glob("[!.]*/items.parquet"):
        with suppress(FileNotFoundError), whole(path):  # it may have been deleted a moment ago
            marks.append(marks_in(path))
    for path in (folder / FOLDER).glob("*/*/items.parquet"):
        check_format(manifest := path.with_name("manifest.json"), read_json(manifest) or {})
        with suppress(FileNotFoundError, StoreError), whole(path):
            marks.append(marks_in(path))
    return np.sort(np.concatenate(marks))


def unused(store: Store) -> list[Part]:
    """The parts that no run refers to and that are old; none where replaced parts are, which need the others."""
    named, parts = marks_named(store), []
    for folder in folders(store):
        there = all_parts(folder)
        if replaced_in(there):
            continue
        for part in in_use(there):
            if old(part.side) and part.verified("scores") and not part.scores_with(named):
                parts.append(part)
    return parts


def _delete_unused(store: Store) -> Removed:
    """Delete unused parts, but for those that a run begins to refer to at this moment.

    A part first goes out of use, then all runs are checked again: one that began before is among them, and one that
    begins later does not find the part and scores again.
    """
    for part in unused(store):
        with suppress(FileNotFoundError):
            part.side.rename(part.side.with_suffix(UNUSED))
    named, removed = marks_named(store), Removed()
    for folder in folders(store):
        for side in folder.glob(f"[!.]*{UNUSED}"):
            part = Part(side.with_suffix(".json"), {})
            scores = part.file("scores")
            if scores.exists() and share(marks_in(scores), named):
                side.rename(part.side)
                continue
            removed += Removed(parts=1, freed=side.stat().st_size + part.remove())
            side.unlink()
    return removed


def leftovers(folder: Path) -> Iterator[Path]:
    """Old files of a fingerprint's folder that belong to no part: of damaged parts, and of parts not finished."""
    of_parts = {path for side in folder.glob("[!.]*.json") for path in Part(side, {}).files()}
    for path in folder.iterdir():
        if path.name[0] == "." or path in of_parts:  # a hidden one is being written, or is one of `_of_killed`
            continue
        if path.suffix in (".parquet", ".json", ".damaged") and old(path):
            yield path


def _of_killed(folder: Path) -> Iterator[Path]:
    """Old files below a folder that were set aside as damaged, and unfinished ones of processes that are gone; a
    folder called like these goes if it is empty, and all its files do.
    """
    for place, below, names in os.walk(folder):
        for name in names if below or names else ["."]:
            unfinished = _UNFINISHED.fullmatch(name) or _UNFINISHED.fullmatch(Path(place).name)
            gone = unfinished is not None and not alive(int(unfinished["pid"] or 0))
            if (gone or (name.endswith(DAMAGED) and name != _TAGS)) and old(path := Path(place, name)):
                yield path


def _delete(leftover: Iterable[Path]) -> Removed:
    removed = Removed()
    for path in list(leftover):
        with suppress(FileNotFoundError):
            removed += Removed(leftovers=1, freed=path.lstat().st_size)
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        if _UNFINISHED.fullmatch(path.parent.name):
            with suppress(OSError):  # it holds more
                path.parent.rmdir()
    return removed


def old(path: Path) -> bool:
    """Whether a file is older than `settings().gc_days`; False if it is gone."""
    with suppress(FileNotFoundError):
        return time.time() - path.lstat().st_mtime > settings().gc_days * 86_400
    return False


def size(folder: Path) -> int:
    """Bytes in a folder and those inside it; links count as links."""
    return bytes_in(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())
