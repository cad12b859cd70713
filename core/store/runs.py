"""Runs: items and results, one small folder each. They refer to scores by key and never own them."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import StoreError
from core.settings import program
from core.store.files import known_json, read_json, replacing, write_json
from core.store.formats import FORMAT, check_format
from core.store.processes import alive

log = logging.getLogger(__name__)

ITEMS = pa.schema(
    [
        ("item_id", pa.string()),
        ("candidate", pa.int32()),
        ("label", pa.string()),
        ("gold", pa.string()),
        ("term", pa.int32()),
        ("weight", pa.float64()),
        ("context", pa.string()),
        ("text", pa.string()),
        ("groups", pa.map_(pa.string(), pa.string())),
        ("fingerprint", pa.string()),
        ("request_key", pa.string()),
    ]
)
"""One row per item, candidate and term of the task's rule; `groups` are the item's groups by name."""


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One row of ITEMS."""

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


def manifest_path(folder: Path, run_id: str) -> Path:
    """The path of a run's manifest; StoreError for an id that could leave the folder."""
    if not run_id or run_id != Path(run_id).name or run_id.startswith("."):
        raise StoreError(f"'{run_id}' is not the id of a run.")
    return folder / run_id / "manifest.json"


class Runs:
    """The runs of a store, in the folder `runs` below its `folder`."""

    folder: Path

    @property
    def _runs(self) -> Path:
        return self.folder / "runs"

    def runs(self) -> pd.DataFrame:
        """All runs, newest first (columns: `run_table`); one whose process is gone is `cancelled`."""
        found = []
        for path in self._runs.glob("[!.]*/manifest.json"):
            with suppress(FileNotFoundError):  # deleted a moment ago
                manifest = known_json(path) or {}
                if "format" in manifest:
                    check_format(path, manifest)
                if _is_of(manifest, path.parent.name):
                    found.append(_settled(dict(manifest)))
                else:
                    log.warning("%s is damaged: the run is left out.", path)
        return run_table(sorted(found, key=lambda manifest: str(manifest.get("created", "")), reverse=True))

    def manifest(self, run_id: str) -> dict[str, Any]:
        """A run's manifest; StoreError if there is no such run."""
        path = manifest_path(self._runs, run_id)
        manifest = read_json(path)
        if manifest is None:
            raise StoreError(f"There is no run '{run_id}' in the store.")
        check_format(path, manifest)
        if not _is_of(manifest, run_id):
            raise StoreError(f"The manifest of run '{run_id}' is damaged: delete the folder {path.parent}.")
        return _settled(manifest)

    def has_finished(self, run_id: str) -> bool:
        """Whether there is a run with that id, and it is done."""
        manifest = read_json(manifest_path(self._runs, run_id))
        return manifest is not None and manifest.get("state") == "done"

    def begin(self, manifest: Mapping[str, Any], items: Sequence[ItemRow]) -> None:
        """Record a run and its items before anything is scored."""
        self.update(manifest)
        columns: dict[str, list[Any]] = {
            name: [getattr(row, name) for row in items] for name in ITEMS.names if name != "groups"
        }
        columns["groups"] = [list(row.groups.items()) for row in items]
        with replacing(self._runs / manifest["run_id"] / "items.parquet") as temporary:
            pq.write_table(pa.table(columns, schema=ITEMS), temporary, compression="zstd")

    def update(self, manifest: Mapping[str, Any], metrics: pd.DataFrame | None = None) -> None:
        """Record the state of a run, and its metrics when it is finished."""
        path = manifest_path(self._runs, manifest["run_id"])
        if metrics is not None:
            with replacing(path.with_name("metrics.parquet")) as temporary:
                metrics.to_parquet(temporary, index=False)
        write_json(path, {"format": FORMAT, **manifest})

    def items(self, run_id: str) -> pd.DataFrame:
        """One row per item, candidate and term, with one column per group; StoreError if the run has none yet."""
        table = _read(self._items_path(run_id))
        groups = table.column("groups").combine_chunks()
        table = table.drop_columns("groups")
        for name, values in _by_group(groups).items():
            table = table.append_column(name, values)
        frame: pd.DataFrame = table.to_pandas()
        return frame

    def fingerprints_of(self, run_id: str) -> list[str]:
        """The fingerprints of a run's items, one as a rule; StoreError if the run has no items yet."""
        column = _read(self._items_path(run_id), ["fingerprint"])["fingerprint"]
        return [str(one) for one in pc.unique(column).to_pylist()]

    def metrics(self, run_id: str) -> pd.DataFrame:
        """A run's metrics table (columns: `core.analysis.summary`); StoreError if the run is not finished."""
        path = self._runs / run_id / "metrics.parquet"
        if not path.exists():
            raise StoreError(f"Run '{run_id}' has no metrics yet: it is not finished.")
        metrics: pd.DataFrame = _read(path).to_pandas()
        return metrics

    def delete(self, run_id: str) -> None:
        """Remove a run's folder; its scores stay until no run refers to them and they are old (`store gc`)."""
        shutil.rmtree(manifest_path(self._runs, run_id).parent)

    def _items_path(self, run_id: str) -> Path:
        path = manifest_path(self._runs, run_id).with_name("items.parquet")
        if not path.exists():
            raise StoreError(f"Run '{run_id}' has no items yet: it did not get that far.")
        return path


def _is_of(manifest: Mapping[str, Any], run_id: str) -> bool:
    """Whether a manifest belongs to this run and has a state."""
    return manifest.get("run_id") == run_id and "state" in manifest


def _settled(manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest, cancelled if its process is gone."""
    if manifest.get("state") == "running" and not alive(manifest.get("pid")):
        return {**manifest, "state": "cancelled", "error": "Its process ended; run it again to continue."}
    return manifest


def _by_group(groups: pa.MapArray) -> dict[str, pa.Array]:
    """One column per name in a column of maps: its value in each row, null where the row has none."""
    names = pc.dictionary_encode(groups.keys)
    codes = names.indices.to_numpy()
    rows = np.repeat(np.arange(len(groups)), np.diff(groups.offsets.to_numpy()))
    columns = {}
    for code, name in enumerate(names.dictionary.to_pylist()):
        entries = np.flatnonzero(codes == code)[::-1]  # of several entries with one name in a row, the first counts
        places = np.full(len(groups), -1)
        places[rows[entries]] = entries
        columns[name] = groups.items.take(pa.array(places, mask=places < 0))
    return columns


@contextmanager
def whole(path: Path) -> Iterator[None]:
    """Turn errors of reading a run's table into a StoreError that says what to do, but for a missing file."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (pa.ArrowInvalid, OSError):
        raise StoreError(
            f"{path} is damaged: delete the run ({program()} runs delete {path.parent.name}) and run it again; "
            "its scores stay."
        ) from None


def _read(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    with whole(path):
        return pq.read_table(path, columns=columns)


def run_table(manifests: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Manifests as a table, one row per run, with columns to sort and filter by."""
    columns = (
        "run_id", "title", "task", "model", "scorer", "preset", "state", "value", "low", "high", "n",
        "created", "finished", "signature", "fingerprint", "data", "error",
    )  # fmt: skip
    rows = [
        {**{name: manifest.get(name) for name in columns}, "manifest": json.dumps(manifest, sort_keys=True)}
        for manifest in manifests
    ]
    return pd.DataFrame(rows, columns=[*columns, "manifest"])
