"""A run out of the store into one file."""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core import __version__
from core.errors import StoreError
from core.scoring.recipe import now
from core.store import Store
from core.store.files import replacing
from core.store.parts import Part
from core.store.run_annotations import annotations_of
from core.store.runs import ITEMS
from core.tasks import TASKS

FORMAT = 1
"""Version of the file's layout; newer ones are refused."""
SUFFIX = ".pairlens.zip"
_OF_THIS_STORE = {"pid", "began", "sha256"}
"""Fields of a manifest about this machine and its files."""


def pack(store: Store, run_id: str, destination: Path) -> Path:
    """Write a finished run as one file and return its path; StoreError if it is not finished or scores are gone."""
    manifest = store.manifest(run_id)
    if manifest["state"] != "done":
        raise StoreError(f"Run '{run_id}' is {manifest['state']}: only finished runs can be exported.")
    with replacing(destination) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as whole:
        digests = {}
        for name, content in _files(store, manifest):
            whole.writestr(name, content)
            digests[name] = hashlib.sha256(content).hexdigest()
        about = {"format": FORMAT, "run_id": run_id, "pairlens": __version__, "exported": now(), "sha256": digests}
        whole.writestr("export.json", _json(about))
    return destination


def packed(store: Store, run_id: str) -> bytes:
    """The same file as the bytes of a download."""
    with tempfile.TemporaryDirectory() as folder:
        return pack(store, run_id, Path(folder) / f"{run_id}{SUFFIX}").read_bytes()


def _files(store: Store, manifest: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Every file of the export by name."""
    run_id, confidential = manifest["run_id"], TASKS[manifest["task"]].confidential
    items = store.table(run_id, "items", ITEMS)
    yield "manifest.json", _json({name: value for name, value in manifest.items() if name not in _OF_THIS_STORE})
    yield "items.parquet", _parquet(without_texts(items) if confidential else items)
    yield "metrics.parquet", _parquet(store.table(run_id, "metrics"))
    annotations = annotations_of(store, run_id)
    yield "remarks.json", _json({"tags": annotations.tags, "note": annotations.note})
    number, held = 0, set[str]()
    for fingerprint in pc.unique(items["fingerprint"]).to_pylist():
        wanted = pc.unique(items.filter(pc.equal(items["fingerprint"], fingerprint))["request_key"])
        for part, tables in _named_rows(store, fingerprint, wanted, confidential):
            about = {name: part.about[name] for name in ("boundary", "temperatures", "provenance")}
            yield f"scores/{number:04d}.json", _json({"fingerprint": fingerprint, **about})
            for name, table in tables.items():
                yield f"scores/{number:04d}.{name}.parquet", _parquet(table)
            held.update(tables["scores"]["request_key"].to_pylist())
            number += 1
    if gone := without_scores(items, manifest, held):
        raise StoreError(f"{gone:,} scores of run '{run_id}' are no longer stored: run it again, then export it.")


def without_scores(items: pa.Table, manifest: Mapping[str, Any], held: Collection[str]) -> int:
    """How many requests of a run are not `held`, apart from those of items that could not be scored."""
    refused = pa.array([*(manifest.get("refused") or ())], pa.string())
    keys = items.filter(pc.invert(pc.is_in(items["item_id"], refused)))["request_key"]
    return len(set(keys.to_pylist()) - set(held))


def _named_rows(
    store: Store, fingerprint: str, wanted: pa.Array, confidential: bool
) -> Iterator[tuple[Part, dict[str, pa.Table]]]:
    """Each part that holds some of the wanted requests, with their rows only.

    A request may be in several parts (with and without the masses at word ends): all are packed, in their order.
    """
    rows = pc.field("request_key").isin(wanted)
    for part in store.parts(fingerprint):
        files = {name: part.verified(name) for name in ("scores", "tokens")}
        if not all(files.values()):
            continue
        tables = {name: pq.read_table(file, filters=rows) for name, file in files.items()}
        if tables["scores"].num_rows:
            yield part, {**tables, "tokens": tables["tokens"].slice(0, 0)} if confidential else tables


def without_texts(items: pa.Table) -> pa.Table:
    """Items with neither contexts nor texts."""
    for name in ("context", "text"):
        place = items.schema.get_field_index(name)
        items = items.set_column(place, ITEMS.field(name), pa.nulls(items.num_rows, pa.string()))
    return items


def _parquet(table: pa.Table) -> bytes:
    packed = io.BytesIO()
    pq.write_table(table, packed, compression="zstd")
    return packed.getvalue()


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False).encode("utf-8")
