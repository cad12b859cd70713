"""Scores from elsewhere, as parts of a store: imported, shipped, or left by workers on other machines.

An address, a folder or a URL of `pyarrow.fs` such as `s3://bucket/folder`, holds parts as a store does, below
`scores` (`pairlens.store`). What is copied from there is checked before it counts: whoever may write there may be
careless, or a stranger.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from pairlens.errors import InputError, StoreError
from pairlens.identity import dataset_hash
from pairlens.store.files import check_format, read_json, replacing, sha256
from pairlens.store.parts import COLUMNS, TABLES, Part, Scored, all_parts, as_array, is_part, write_part
from pairlens.store.scores import Scores, on_the_parts_of_now
from pairlens.store.store import Store

_URL = re.compile(r"[a-z][a-z0-9+.-]+://")
_SIDE = re.compile(r"scores/([0-9a-f]{64})/([0-9a-z-]+)\.json")
_AT_ONCE = 16
"""Parts copied at the same time: each waits for the network most of its time."""


@dataclass(frozen=True, slots=True)
class Merged:
    """Parts that were copied into the store, parts that it had, and the paths of those that are damaged."""

    parts: int
    there: int
    damaged: tuple[str, ...]


class _DamagedError(Exception):
    """A part at an address is not whole."""


@contextmanager
def _errors_of(address: str) -> Iterator[None]:
    """StoreError in one sentence for whatever the file system of an address says."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        raise StoreError(f"{address} cannot be used: {' '.join(str(error).split())}") from error


@lru_cache(maxsize=8)
def _opened(address: str) -> fs.SubTreeFileSystem:
    """The folder at an address; InputError for one that is none."""
    try:
        if not _URL.match(address):
            return fs.SubTreeFileSystem(str(Path(address).expanduser().resolve()), fs.LocalFileSystem())
        files, folder = fs.FileSystem.from_uri(address)
    except (OSError, RuntimeError, ValueError, pa.ArrowException) as error:
        raise InputError(" ".join(str(error).split()), address) from None
    if not folder.strip("/"):
        raise InputError("name a folder: s3://bucket/folder", address)
    return fs.SubTreeFileSystem(folder.rstrip("/"), files)


def add(
    address: str, fingerprint: str, scored: Sequence[Scored], provenance: Mapping[str, Any], *, tokens: bool = True
) -> str:
    """Store scores as one part at an address, the side file last; returns its name. StoreError if that fails."""
    place = _opened(address)
    if isinstance(place.base_fs, fs.LocalFileSystem):
        return Scores(Path(place.base_path)).add(fingerprint, scored, provenance, tokens=tokens).name
    with TemporaryDirectory() as folder:
        part = Scores(Path(folder)).add(fingerprint, scored, provenance, tokens=tokens)
        for path in reversed(part.files()):
            name = f"scores/{fingerprint}/{path.name}"
            with _errors_of(address), path.open("rb") as content, place.open_output_stream(name) as target:
                copyfileobj(content, target)
    return part.name


def merge(store: Scores, address: str, fingerprints: Collection[str] | None = None) -> Merged:
    """Copy the parts at an address (with these fingerprints, or all) that the store lacks; twice changes nothing.
    InputError for an address that is none, StoreError if it cannot be read, or the store not be written.
    """
    place = _opened(address)
    folders = ["scores"] if fingerprints is None else [f"scores/{name}" for name in sorted(fingerprints)]
    below = [fs.FileSelector(folder, allow_not_found=True, recursive=True) for folder in folders]
    with _errors_of(address):
        files = [file for selector in below for file in place.get_file_info(selector)]
    parts = sorted((side[1], side[2]) for file in files if (side := _SIDE.fullmatch(file.path)))
    known = set[tuple[str, str]]()  # parts that the store has, and those that were joined into them
    for fingerprint in {fingerprint for fingerprint, _ in parts}:
        for part in all_parts(store.folder / "scores" / fingerprint):
            joined = part.about.get("replaces", {}).get("parts", ())
            known.update((fingerprint, name) for name in (part.name, *joined))
    new = [part for part in parts if part not in known]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        whole = [*pool.map(lambda names: _copy(address, store, *names), new)]
    damaged = tuple("/".join(names) for names, intact in zip(new, whole, strict=True) if not intact)
    return Merged(len(new) - len(damaged), len(parts) - len(new), damaged)


def take(store: Scores, address: str, fingerprint: str, name: str) -> bool:
    """Whether the store has this part, which is copied from the address if that is elsewhere."""
    side = store.folder / "scores" / fingerprint / f"{name}.json"
    return side.exists() or _copy(address, store, fingerprint, name)


def _copy(address: str, store: Scores, fingerprint: str, name: str) -> bool:
    """Copy a part into the store, its side file last, if it is whole: sealed, its columns and sha256 right."""
    place, part = _opened(address), Part(store.folder / "scores" / fingerprint / f"{name}.json", {})
    with suppress(_DamagedError), ExitStack() as stack:
        copies = {path: stack.enter_context(replacing(path)) for path in (part.side, *map(part.file, TABLES))}
        for path, copy in copies.items():
            with _errors_of(address), copy.open("wb") as target:
                try:
                    content = place.open_input_stream(f"scores/{fingerprint}/{path.name}")
                except FileNotFoundError:
                    raise _DamagedError from None
                with content:
                    copyfileobj(content, target)
        about = read_json(copies[part.side])
        if about is None or not is_part(about):
            raise _DamagedError
        check_format(part.side, about)
        with suppress(pa.ArrowException):
            if all(
                sha256(copies[part.file(table)]) == about["sha256"][table]
                and pq.read_schema(copies[part.file(table)]).equals(columns)
                for table, columns in COLUMNS.items()
            ):
                return True
        raise _DamagedError
    return False


def add_imported(
    store: Store, fingerprint: str, scores: pa.Table, tokens: pa.Table, about: Mapping[str, Any], order: int
) -> int:
    """Store the rows (columns SCORES and TOKENS) of requests that the store lacks, even if they ship with Pairlens;
    returns the number of requests.

    `about` has `boundary`, `temperatures` and `provenance`. Parts of one import count in their `order`, all after the
    store's own: their names begin with an x, others with a hexadecimal digit.
    """
    keys = pc.unique(scores["request_key"])
    required = {name: about[name] for name in ("boundary", "temperatures")}
    by_token = tokens.num_rows > 0
    known = Scores(store.folder).known(fingerprint, **required, by_token=by_token, keys=keys.to_pylist())
    new = keys.filter(pc.invert(pc.is_in(keys, pa.array(sorted(known), pa.string()))))
    if not len(new):
        return 0
    name = f"x-{order:04d}-{dataset_hash(sorted(new.to_pylist()))[:20]}"
    tables = {}
    for (table, columns), rows in zip(COLUMNS.items(), (scores, tokens), strict=True):
        tables[table] = rows.filter(pc.is_in(rows["request_key"].cast(pa.string()), new)).cast(columns)
    write_part(store.folder / "scores" / fingerprint / f"{name}.json", tables, {"requests": len(new), **about})
    return len(new)


@on_the_parts_of_now
def keep_shipped(store: Store, fingerprint: str, keys: Collection[str]) -> int:
    """Copy the shipped scores of these requests that the store lacks: a later version may not have them."""
    if store.shipped is None:
        return 0
    copied, named = 0, pc.field("request_key").isin(as_array(keys))
    for order, (part, scores) in enumerate(Scores(store.shipped).verified(fingerprint, "scores", keys)):
        if tokens := part.verified("tokens"):
            sums, rows = (pq.read_table(path, filters=named) for path in (scores, tokens))
            about = {name: part.about[name] for name in ("boundary", "temperatures", "provenance")}
            copied += add_imported(store, fingerprint, sums, rows, about, order)
    return copied
