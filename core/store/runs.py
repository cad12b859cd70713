"""Runs: what was asked and what came out, one small folder each. Scores are referred to by key, never owned."""

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
"""One row per item, candidate and term of the task's rule; `groups` holds the item's groups by name."""


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
    """Where a run's manifest is; StoreError for an id that could leave the folder."""
    if not run_id or run_id != Path(run_id).name or run_id.startswith("."):
        raise StoreError(f"'{run_id}' is not the id of a run.")
    return folder / run_id / "manifest.json"


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest; its `run_id` names the run's folder."""
    write_json(manifest_path(folder, manifest["run_id"]), {"format": FORMAT, **manifest})


def read_manifest(folder: Path, run_id: str) -> dict[str, Any]:
    """A run's manifest; StoreError if there is no such run."""
    path = manifest_path(folder, run_id)
    manifest = read_json(path)
    if manifest is None:
        raise StoreError(f"There is no run '{run_id}' in the store.")
    check_format(path, manifest)
    if not _is_of(manifest, run_id):
        raise StoreError(f"The manifest of run '{run_id}' is damaged: delete the folder {path.parent}.")
    return manifest


def _is_of(manifest: Mapping[str, Any], run_id: str) -> bool:
    """Whether a manifest is this run's and says how it stands."""
    return manifest.get("run_id") == run_id and "state" in manifest


def read_manifests(folder: Path) -> list[dict[str, Any]]:
    """All manifests, newest first."""
    found = []
    for path in folder.glob("[!.]*/manifest.json"):
        with suppress(FileNotFoundError):  # deleted a moment ago
            manifest = known_json(path) or {}
            if "format" in manifest:
                check_format(path, manifest)
            if _is_of(manifest, path.parent.name):
                found.append(dict(manifest))
            else:
                log.warning("%s is damaged: the run is left out.", path)
    return sorted(found, key=lambda manifest: str(manifest.get("created", "")), reverse=True)


def write_items(folder: Path, run_id: str, rows: Sequence[ItemRow]) -> None:
    """Write what a run asked."""
    columns: dict[str, list[Any]] = {
        name: [getattr(row, name) for row in rows] for name in ITEMS.names if name != "groups"
    }
    columns["groups"] = [list(row.groups.items()) for row in rows]
    with replacing(folder / run_id / "items.parquet") as temporary:
        pq.write_table(pa.table(columns, schema=ITEMS), temporary, compression="zstd")


def read_items(folder: Path, run_id: str) -> pd.DataFrame:
    """A run's items with one column per group; StoreError if the run has none yet."""
    table = _read(_items_path(folder, run_id))
    groups = table.column("groups").combine_chunks()
    table = table.drop_columns("groups")
    for name, values in _by_group(groups).items():
        table = table.append_column(name, values)
    frame: pd.DataFrame = table.to_pandas()
    return frame


def read_fingerprints(folder: Path, run_id: str) -> list[str]:
    """What a run's items were scored with, each once; StoreError if the run has none yet."""
    column = _read(_items_path(folder, run_id), ["fingerprint"])["fingerprint"]
    return [str(one) for one in pc.unique(column).to_pylist()]


def _items_path(folder: Path, run_id: str) -> Path:
    path = manifest_path(folder, run_id).with_name("items.parquet")
    if not path.exists():
        raise StoreError(f"Run '{run_id}' has no items yet: it did not get that far.")
    return path


def _by_group(groups: pa.MapArray) -> dict[str, pa.Array]:
    """One column per name in a column of maps: its value in each row, null where the row has none."""
    names = pc.dictionary_encode(groups.keys)
    codes = names.indices.to_numpy()
    rows = np.repeat(np.arange(len(groups)), np.diff(groups.offsets.to_numpy()))
    columns = {}
    for code, name in enumerate(names.dictionary.to_pylist()):
        entries = np.flatnonzero(codes == code)[::-1]  # of several entries of one name in a row the first one counts
        places = np.full(len(groups), -1)
        places[rows[entries]] = entries
        columns[name] = groups.items.take(pa.array(places, mask=places < 0))
    return columns


def write_metrics(folder: Path, run_id: str, metrics: pd.DataFrame) -> None:
    """Write a run's metrics table."""
    with replacing(folder / run_id / "metrics.parquet") as temporary:
        metrics.to_parquet(temporary, index=False)


def read_metrics(folder: Path, run_id: str) -> pd.DataFrame:
    """A run's metrics table; StoreError if the run is not finished."""
    path = folder / run_id / "metrics.parquet"
    if not path.exists():
        raise StoreError(f"Run '{run_id}' has no metrics yet: it is not finished.")
    metrics: pd.DataFrame = _read(path).to_pandas()
    return metrics


@contextmanager
def whole(path: Path) -> Iterator[None]:
    """While a table of a run is read: StoreError in words if it is damaged."""
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


def delete(folder: Path, run_id: str) -> None:
    """Remove a run's folder. Its scores stay until no run names them and they are old (`store gc`)."""
    shutil.rmtree(manifest_path(folder, run_id).parent)


def run_table(manifests: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """Manifests as a table, one row per run: the columns people sort and filter by."""
    columns = (
        "run_id", "title", "task", "model", "scorer", "preset", "state", "value", "low", "high", "n",
        "created", "finished", "signature", "fingerprint", "data", "error",
    )  # fmt: skip
    rows = [
        {**{name: manifest.get(name) for name in columns}, "manifest": json.dumps(manifest, sort_keys=True)}
        for manifest in manifests
    ]
    return pd.DataFrame(rows, columns=[*columns, "manifest"])
