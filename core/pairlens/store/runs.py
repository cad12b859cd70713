"""Runs: items and results, one small folder each, with a manifest that has the sha256 of the run's tables. They refer
to scores by key and never own them.
"""

import hashlib
import json
import logging
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pairlens.errors import StoreError
from pairlens.places import program
from pairlens.store import files, visitors
from pairlens.store.processes import alive, why_ended

_T = TypeVar("_T")
log = logging.getLogger(__name__)
_NEW, _PAUSES = 5.0, (0.02, 0.05, 0.1)


_COLUMNS = (
    "run_id", "title", "task", "model", "scorer", "preset", "state", "value", "low", "high", "n",
    "created", "finished", "signature", "fingerprint", "data", "error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item, candidate and term of the task's rule; `groups` are the item's groups by name."""

    item_id: str
    candidate: int
    label: str
    gold: str | None
    term: int
    weight: float
    context: str | None
    text: str | None
    groups: Mapping[str, str]
    fingerprint: str
    request_key: str


_OTHERS = {
    "candidate": pa.int32(),
    "term": pa.int32(),
    "weight": pa.float64(),
    "groups": pa.map_(pa.string(), pa.string()),
}
ITEMS = pa.schema([(field.name, _OTHERS.get(field.name, pa.string())) for field in fields(ItemRow)])


def manifest_path(folder: Path, run_id: str) -> Path:
    """The path of a run's manifest; StoreError for an id that could leave the folder."""
    if run_id != Path(run_id).name or run_id.startswith(".") or not run_id.isprintable() or not 0 < len(run_id) < 200:
        raise StoreError(f"{run_id[:40]!r} is not the id of a run.")
    return folder / run_id / "manifest.json"


class Runs:
    """The runs of a store, in the folder `runs` below its `folder`."""

    folder: Path

    @property
    def _runs(self) -> Path:
        return self.folder / "runs"

    def runs(self, of: str | None = None) -> pd.DataFrame:
        """All runs but `damaged_runs` that are listed to a visitor, by default to who asks now, newest first: columns
        to sort and filter by, and the whole `manifest` as JSON; `cancelled` if the process is gone.
        """
        manifests = []
        for path, manifest in self._manifests(of):
            if _is_of(manifest, path.parent.name):
                manifests.append(_settled(dict(manifest), path.parent))
            else:
                log.warning("%s is damaged: the run is left out.", path)
        manifests.sort(key=lambda manifest: str(manifest.get("created", "")), reverse=True)
        rows = [{**manifest, "manifest": json.dumps(manifest, sort_keys=True)} for manifest in manifests]
        return pd.DataFrame(rows, columns=[*_COLUMNS, "manifest"])

    def damaged_runs(self, of: str | None = None) -> list[str]:
        """The ids of listed runs (see `runs`) whose manifest cannot be read or is another's."""
        listed = ((path.parent.name, manifest) for path, manifest in self._manifests(of))
        return sorted(run_id for run_id, manifest in listed if not _is_of(manifest, run_id))

    def _manifests(self, of: str | None = None) -> Iterator[tuple[Path, dict[str, Any]]]:
        """The manifest of each run that can be read now, empty if it is damaged; not to be changed."""
        paths = {path.parent.name: path for path in self._runs.glob("[!.]*/manifest.json")}
        for path in map(paths.__getitem__, visitors.listed("runs", paths, of)):
            try:
                manifest = files.known_json(path) or {}
            except FileNotFoundError:  # deleted a moment ago
                continue
            except StoreError as error:
                log.warning("%s The run is left out.", error)
                continue
            files.check_format(path, manifest)
            yield path, manifest

    def manifest(self, run_id: str) -> dict[str, Any]:
        """A run's manifest; StoreError if there is no such run."""
        path = manifest_path(self._runs, run_id)
        manifest = files.read_json(path)
        if manifest is None and not path.exists():
            raise StoreError(f"There is no run '{run_id}' in the store.")
        files.check_format(path, manifest or {})
        if not manifest or not _is_of(manifest, run_id):
            raise StoreError(damaged(path))
        return _settled(manifest, path.parent)

    def finished(self, run_id: str) -> dict[str, Any] | None:
        manifest = files.read_json(path := manifest_path(self._runs, run_id))
        files.check_format(path, manifest or {})
        return manifest if manifest is not None and manifest.get("state") == "done" else None

    def has_begun(self, run_id: str) -> bool:
        return manifest_path(self._runs, run_id).exists()

    def has_finished(self, run_id: str) -> bool:
        """Whether there is a run with that id, it is done, and its items are not damaged."""
        return self.finished(run_id) is not None and is_intact(self.table_path(run_id, "items"))

    def begin(self, manifest: Mapping[str, Any], items: Sequence[ItemRow]) -> None:
        columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in items] for name in ITEMS.names}
        columns["groups"] = [list(groups.items()) for groups in columns["groups"]]
        self.update(manifest, items=pa.table(columns, schema=ITEMS))

    def update(
        self, manifest: Mapping[str, Any], metrics: pd.DataFrame | None = None, items: pa.Table | None = None
    ) -> None:
        """Record the state of a run and, at its end, its metrics: tables, then the manifest with their sha256."""
        path = manifest_path(self._runs, manifest["run_id"])
        files.check_format(path, before := files.read_json(path) or {})
        digests = dict(before.get("sha256", {}))
        if items is not None:
            digests["items"] = _write(items, path.with_name("items.parquet"), "zstd")
        if metrics is not None:
            table = pa.Table.from_pandas(metrics, preserve_index=False)
            digests["metrics"] = _write(table, path.with_name("metrics.parquet"), "snappy")
        files.write_json(path, {**manifest, "format": files.FORMAT, "sha256": digests})

    def table_path(self, run_id: str, table: str) -> Path:
        """Where the `items` or `metrics` of a run are, or would be; not checked (`whole`)."""
        return manifest_path(self._runs, run_id).with_name(f"{table}.parquet")

    def table(self, run_id: str, name: str, schema: pa.Schema | None = None) -> pa.Table:
        """The `items` or `metrics` of a run as stored; StoreError if the run has none yet, or they are damaged."""
        path = self.table_path(run_id, name)
        if not path.exists():
            yet = {"items": "it did not get that far", "metrics": "it is not finished"}[name]
            raise StoreError(f"Run '{run_id}' has no {name} yet: {yet}.")
        content = _checked(path, Path.read_bytes, lambda read: hashlib.sha256(read).hexdigest())
        with suppress(pa.ArrowException, OSError):
            if content is not None:
                return pq.read_table(pa.BufferReader(content), schema=schema)
        raise StoreError(_damaged_with(path))

    def items(self, run_id: str) -> pd.DataFrame:
        """One row per item, candidate and term, with one column per group; StoreError as in `table`."""
        table = self.table(run_id, "items")
        groups = table.column("groups").combine_chunks()
        table = table.drop_columns("groups")
        names = pc.dictionary_encode(groups.keys)
        codes = names.indices.to_numpy()
        rows = np.repeat(np.arange(len(groups)), np.diff(groups.offsets.to_numpy()))
        for code, name in enumerate(names.dictionary.to_pylist()):
            entries = np.flatnonzero(codes == code)[::-1]  # of several with one name in a row, the first counts
            places = np.full(len(groups), -1)
            places[rows[entries]] = entries
            table = table.append_column(name, groups.items.take(pa.array(places, mask=places < 0)))
        frame: pd.DataFrame = table.to_pandas()
        return frame

    def fingerprints_of(self, run_id: str) -> list[str]:
        """The fingerprints of a run's items, one as a rule; StoreError as in `table`."""
        only = pa.schema([ITEMS.field("fingerprint")])
        return [str(one) for one in pc.unique(self.table(run_id, "items", only)["fingerprint"]).to_pylist()]

    def metrics(self, run_id: str) -> pd.DataFrame:
        """A run's metrics table (columns: `pairlens.analysis.summary`); StoreError as in `table`."""
        metrics: pd.DataFrame = self.table(run_id, "metrics").to_pandas()
        return metrics

    def delete(self, run_id: str) -> None:
        """Remove a run's folder; its scores stay until no run refers to them and they are old (`store gc`)."""
        shutil.rmtree(manifest_path(self._runs, run_id).parent)


def _is_of(manifest: Mapping[str, Any], run_id: str) -> bool:
    return manifest.get("run_id") == run_id and "state" in manifest


def _settled(manifest: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The manifest, cancelled if its process is gone, with the cause as far as it is known."""
    if manifest.get("state") != "running" or alive(manifest.get("pid"), manifest.get("began")):
        return manifest
    created = None
    with suppress(ValueError):
        created = datetime.fromisoformat(str(manifest.get("created"))).timestamp()
    return {**manifest, "state": "cancelled", "error": why_ended(manifest, created, folder, "run it again")}


def is_intact(table: Path) -> bool:
    """Whether a run's table is there, with the bytes that the manifest beside it states."""
    return _checked(table, lambda path: path, files.file_sha256) is not None


def _checked(table: Path, read: Callable[[Path], _T], digest_of: Callable[[_T], str]) -> _T | None:
    """What is read from a run's table, if its digest is the one in the manifest, which is replaced after it: one that
    was written a moment ago is looked at again.
    """
    for pause in (0.0, *_PAUSES):
        if pause and not (table.exists() and time.time() - table.stat().st_mtime < _NEW):
            break
        time.sleep(pause)
        with files.system_errors(table, "read"), suppress(FileNotFoundError):
            manifest = files.known_json(table.with_name("manifest.json")) or {}
            digest, content = manifest.get("sha256", {}).get(table.stem), read(table)
            if digest_of(content) == digest:
                return content
    return None


def damaged(file: Path) -> str:
    if file.name == "metrics.parquet":
        return f"{file} is damaged: {program()} store verify computes it again."
    delete = f"{program()} runs delete {file.parent.name}"
    return (
        f"{file} is damaged: start the same run again, or import it again, which mends it, or delete it ({delete}); "
        "its scores stay."
    )


def _damaged_with(table: Path) -> str:
    """The sentence on a run's table, or on the manifest beside it if that is damaged."""
    document = files.read_json(manifest := table.with_name("manifest.json"))
    files.check_format(manifest, document or {})
    return damaged(table if document else manifest)


@contextmanager
def whole(table: Path) -> Iterator[None]:
    """Read a run's table: StoreError, which says what to do, if it is damaged; FileNotFoundError if it is missing.
    One without a manifest is that of a run which is just beginning.
    """
    table.stat()
    if table.with_name("manifest.json").exists() and not is_intact(table):
        raise StoreError(_damaged_with(table))
    try:
        yield
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError):
        raise StoreError(damaged(table)) from None


def _write(table: pa.Table, path: Path, compression: str) -> str:
    with files.replacing(path) as temporary:
        pq.write_table(table, temporary, compression=compression)
        return files.sha256(temporary)
