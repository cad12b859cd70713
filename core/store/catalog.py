"""`results.duckdb`: the store as tables for any DuckDB client, built from the parts, the source of truth.

`runs` and `metrics` are real tables; `items`, `scores` and `tokens` are views over the files of runs and of verified
parts (or tables, in a file for sharing); `candidates` and `decisions` are views over these. It is built under a
temporary name and renamed, by one process at a time; the dashboard never opens it.
"""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path

import duckdb

from core.errors import StoreError
from core.files.locks import locked
from core.store.files import read_json, sha256, write_json
from core.store.store import Store
from core.store.views import relations

_LOCK_SECONDS = 60.0
log = logging.getLogger(__name__)
_LARGE = {"items", "scores", "tokens"}


def build(store: Store, destination: Path | None = None, *, token_rows: bool = False) -> Path:
    """Write the catalogue and return its path; `token_rows` puts all rows inside, for a file to be shared.

    Raises StoreError after a minute of waiting for another process, or if the file cannot be written.
    """
    target = destination or store.folder / "results.duckdb"
    temporary = target.with_name(f".{target.name}.new")
    busy = StoreError(f"Another process is still writing {target}: try again in a minute.")
    try:
        with locked(target.with_name(f".{target.name}.lock"), _LOCK_SECONDS, busy):
            try:
                temporary.unlink(missing_ok=True)
                with duckdb.connect(str(temporary)) as connection:
                    _fill(connection, store, {"metrics", *(_LARGE if token_rows else ())})
                content = sha256(temporary)
                temporary.replace(target)
                if destination is None:
                    write_json(_stated(store), {"sha256": content})
            finally:
                temporary.unlink(missing_ok=True)
    except (duckdb.Error, OSError) as error:
        raise StoreError(f"{target} cannot be written: {str(error).partition(chr(10))[0]}") from error
    return target


def is_intact(store: Store) -> bool:
    """Whether `results.duckdb` is as it was built, or missing: it may be deleted."""
    path, stated = store.folder / "results.duckdb", read_json(_stated(store))
    return not path.exists() or (stated is not None and sha256(path) == stated["sha256"])


def publish(store: Store) -> None:
    """Build it after a change; if that fails, which does not affect the store, log a warning."""
    try:
        build(store)
    except StoreError as error:
        log.warning("The tables for other programs could not be updated: %s", error)


def _stated(store: Store) -> Path:
    return store.folder / "results.json"


def _fill(connection: duckdb.DuckDBPyConnection, store: Store, copied: set[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        for one in relations(store, Path(scratch), lasting=True):
            kind = "table" if one.small or one.name in copied else "view"
            connection.execute(f"create {kind} {one.name} as {one.select}")
