"""A run out of the store into one file, which is untrusted bytes when it is read: all is checked before use."""

import hashlib
import io
import json
import re
import tempfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pairlens import __version__
from pairlens.errors import InputError, StoreError
from pairlens.files.parquet import batches, n_bytes, plain
from pairlens.scoring.recipe import now
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.files import replacing
from pairlens.store.parts import Part
from pairlens.store.run_annotations import annotations_of
from pairlens.store.runs import ITEMS
from pairlens.tasks import TASKS

FORMAT = 1
"""Version of the file's layout; newer ones are refused."""
SUFFIX = ".pairlens.zip"
INDEX, _STRANGER = "export.json", "is no run that was exported by Pairlens"
_OF_THIS_STORE = {"pid", "began", "sha256"}
"""Fields of a manifest about this machine and its files."""
_NAME = re.compile(
    r"(manifest|remarks)\.json|(items|metrics)\.parquet|scores/\d{4,}\.(json|(scores|tokens)\.parquet)"
)
_MOST_FILES = 100_000
_LARGEST_JSON = 16 << 20
_MB = 1 << 20
_UNREADABLE = (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError)
"""What `zipfile` raises where bytes of its table of contents were changed (a version, an offset, a name)."""


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
        whole.writestr(INDEX, _json(about))
    return destination


def packed(store: Store, run_id: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return pack(store, run_id, Path(folder) / f"{run_id}{SUFFIX}").read_bytes()


def _files(store: Store, manifest: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
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
    """Each part that holds some of the wanted requests, with their rows only; a request may be in several."""
    rows = pc.field("request_key").isin(wanted)
    for part in store.parts(fingerprint):
        files = {name: part.verified(name) for name in ("scores", "tokens")}
        if not all(files.values()):
            continue
        tables = {name: pq.read_table(file, filters=rows) for name, file in files.items()}
        if tables["scores"].num_rows:
            yield part, {**tables, "tokens": tables["tokens"].slice(0, 0)} if confidential else tables


def without_texts(items: pa.Table) -> pa.Table:
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


class Archive:
    """The files of an export by name, never unpacked; each has been read once and has the sha256 stated in the
    export. InputError, in one sentence, for anything wrong.
    """

    def __init__(self, whole: zipfile.ZipFile, label: str) -> None:
        self._whole, self._label = whole, label
        self.about = self._read_about()
        self.digests: Mapping[str, str] = self.about["sha256"]
        for name in self.digests:
            self.content(name)

    def content(self, name: str) -> bytes:
        content = self._bytes(name)
        if hashlib.sha256(content).hexdigest() != self.digests[name]:
            self.refuse(f"'{name}' inside is not what was exported: the file was damaged or changed on its way")
        return content

    def json(self, name: str) -> dict[str, Any]:
        try:
            content = self._bytes(name) if name == INDEX else self.content(name)
            value = json.loads(content, parse_constant=int)  # which refuses NaN and Infinity
        except (ValueError, RecursionError):
            self.refuse(f"'{name}' inside is not JSON")
        if not isinstance(value, dict):
            self.refuse(f"'{name}' inside is not one JSON object")
        return value

    def table(self, name: str, columns: pa.Schema | None = None) -> pa.Table:
        """The rows of a Parquet file, with exactly these columns, or with its own if none are given."""
        try:
            read = pq.ParquetFile(io.BytesIO(self.content(name)))
            if read.metadata.num_rows > settings().max_rows * 10 or read.metadata.num_columns > 64:
                self.refuse(f"'{name}' inside holds {read.metadata.num_rows:,} rows, more than any run")
            table = pa.Table.from_batches(self._batches(read, name), schema=plain(read.schema_arrow))
            return table if columns is None else table.select(columns.names).cast(columns)
        except (pa.ArrowException, OSError, KeyError, ValueError) as error:
            reason = str(error).splitlines()[0][:120]
            self.refuse(f"'{name}' inside is not the table that it should be ({reason})")

    def refuse(self, fault: str) -> NoReturn:
        raise InputError(fault, self._label) from None

    def _batches(self, read: pq.ParquetFile, name: str) -> Iterator[pa.RecordBatch]:
        """Rows in batches: repeated texts are tiny in a Parquet file and huge in memory."""
        left = settings().max_unpacked_mb * _MB
        for batch in batches(read):
            left -= n_bytes(batch)
            if left < 0:
                self.refuse(f"'{name}' inside unpacks to more than {settings().max_unpacked_mb:,} MB")
            yield batch

    def _read_about(self) -> dict[str, Any]:
        entries = self._whole.infolist()
        names = [entry.filename for entry in entries]
        if INDEX not in names:
            self.refuse(f"{_STRANGER}: it holds no {INDEX}")
        about = self.json(INDEX)
        if isinstance(version := about.get("format"), int) and version > FORMAT:
            formats = f"format {version}, this one reads {FORMAT}"
            self.refuse(f"was written by a newer Pairlens ({formats}): update Pairlens")
        if version != FORMAT or not isinstance(about.get("sha256"), dict):
            self.refuse(f"{_STRANGER}: {INDEX} says something else")
        if strange := [name for name in names if name != INDEX and not _NAME.fullmatch(name)]:
            self.refuse(f"holds {strange[0][:80]!r}, which no exported run has")
        if len(set(names)) < len(names) or {*names} != {INDEX, *about["sha256"]}:
            self.refuse("does not hold exactly the files that it lists: it was damaged or changed on its way")
        limit = settings().max_unpacked_mb
        if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > limit * _MB:
            self.refuse(f"unpacks to more than {limit:,} MB (PAIRLENS_MAX_UNPACKED_MB)")
        return about

    def _bytes(self, name: str) -> bytes:
        limit = _LARGEST_JSON if name.endswith(".json") else settings().max_unpacked_mb * _MB
        try:
            with self._whole.open(name) as stream:
                content = stream.read(limit + 1)
        except (*_UNREADABLE, OSError, RuntimeError, KeyError, zlib.error):
            self.refuse(f"'{name}' inside cannot be unpacked: the file is damaged or cut off")
        if len(content) > limit:
            self.refuse(f"'{name}' inside is larger than {limit // _MB:,} MB")
        return content


@contextmanager
def opened(source: Path) -> Iterator[Archive]:
    try:
        whole = zipfile.ZipFile(source)
    except _UNREADABLE:
        raise InputError(f"{_STRANGER}, or was cut off on its way: export it again", source.name) from None
    with whole:
        yield Archive(whole, source.name)
