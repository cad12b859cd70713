"""Runs: what was asked and what came out, one small folder each. Scores are referred to by key, never owned."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.errors import StoreError
from core.store.files import read_json, replacing, write_json
from core.store.parts import FORMAT

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
    manifest = read_json(manifest_path(folder, run_id))
    if manifest is None:
        raise StoreError(f"There is no run '{run_id}' in the store.")
    return manifest


def read_manifests(folder: Path) -> list[dict[str, Any]]:
    """All manifests, newest first."""
    found = [read_json(path) for path in folder.glob("*/manifest.json")]
    return sorted((m for m in found if m), key=lambda m: str(m.get("created", "")), reverse=True)


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
    path = folder / run_id / "items.parquet"
    if not path.exists():
        raise StoreError(f"Run '{run_id}' has no items yet: it did not get that far.")
    table = pq.read_table(path)
    groups = table.column("groups").combine_chunks()
    names = pc.unique(groups.keys).to_pylist()
    for name in names:
        table = table.append_column(name, pc.map_lookup(groups, name, "first"))
    frame: pd.DataFrame = table.drop_columns("groups").to_pandas()
    return frame


def write_metrics(folder: Path, run_id: str, metrics: pd.DataFrame) -> None:
    """Write a run's metrics table."""
    with replacing(folder / run_id / "metrics.parquet") as temporary:
        metrics.to_parquet(temporary, index=False)


def read_metrics(folder: Path, run_id: str) -> pd.DataFrame:
    """A run's metrics table; StoreError if the run is not finished."""
    path = folder / run_id / "metrics.parquet"
    if not path.exists():
        raise StoreError(f"Run '{run_id}' has no metrics yet: it is not finished.")
    return pd.read_parquet(path)


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
