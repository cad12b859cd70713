"""Deleted runs: set aside under the date, and restorable until `store gc` clears a past day.

runs/.deleted/<date>/<run id>/    the complete folder
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StoreError
from core.store import visitors
from core.store.files import read_json
from core.store.runs import manifest_path
from core.store.store import Store, changing_runs

FOLDER = ".deleted"


@dataclass(frozen=True, slots=True)
class Deleted:
    """A run that was set aside: its id, title and model, and the date (UTC)."""

    run_id: str
    title: str
    model: str
    date: str
    folder: Path


def delete(store: Store, *run_ids: str) -> None:
    """Set runs aside; their scores stay as long as the runs can be restored.

    StoreError, and no run is set aside, if one is missing, still running or somebody else's. Of a run that other
    visitors made too, only the visitor's claim goes. A sweep loses the points of these runs.
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
    runs = [_read(path) for path in folders if visitors.may_change("runs", path.parent.name)]
    return sorted((one for one in runs if one), key=lambda one: (one.date, one.run_id), reverse=True)


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


def _read(path: Path) -> Deleted | None:
    """None if another process has just restored or cleared it."""
    manifest = read_json(path)
    if manifest is None:
        return None
    title, model = str(manifest.get("title", "")), str(manifest.get("model", ""))
    return Deleted(path.parent.name, title, model, path.parent.parent.name, path.parent)
