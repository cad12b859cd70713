"""`results.duckdb`: the store as tables for any DuckDB client, built from the parts and never the truth.

Real tables `runs`, `items`, `scores`, `metrics`, and `tokens` as a view over the verified parts (or as a table, for a
file that travels). Built under a temporary name and renamed, by one process at a time; the dashboard never opens it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
from filelock import FileLock, Timeout

from core.errors import StoreError
from core.store import runs
from core.store.parts import SCORES, TOKENS
from core.store.store import Store

_LOCK_SECONDS = 60.0
_METRICS = pa.schema(
    [(name, pa.string()) for name in ("name", "group_by", "group", "over")]
    + [(name, pa.float64()) for name in ("value", "low", "high", "length_only", "chance")]
    + [(name, pa.int64()) for name in ("n", "ties", "undecided", "excluded", "n_clusters")]
)


def build(store: Store, destination: Path | None = None, *, token_rows: bool = False) -> Path:
    """Write the catalogue and return its path; `token_rows` puts the tokens inside (for a file that travels).

    Raises StoreError when another process has been building it for a minute, or the file cannot be written.
    """
    target = destination or store.folder / "results.duckdb"
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.new")
    try:
        with FileLock(target.with_name(f".{target.name}.lock"), timeout=_LOCK_SECONDS):
            try:
                temporary.unlink(missing_ok=True)
                with duckdb.connect(str(temporary)) as connection:
                    _fill(connection, store, token_rows)
                temporary.replace(target)
            finally:
                temporary.unlink(missing_ok=True)
    except Timeout:
        raise StoreError(f"Another process is still writing {target}: try again in a minute.") from None
    except (duckdb.Error, OSError) as error:
        raise StoreError(f"{target} cannot be written: {error}") from error
    return target


def _fill(connection: duckdb.DuckDBPyConnection, store: Store, token_rows: bool) -> None:
    table = store.runs().drop(columns="manifest")
    connection.register("_runs", table)
    connection.execute("create table runs as select * from _runs")
    connection.unregister("_runs")
    folder = store.folder / "runs"
    _create(connection, "items", sorted(folder.glob("*/items.parquet")), runs.ITEMS, of="run_id")
    _create(connection, "metrics", sorted(folder.glob("*/metrics.parquet")), _METRICS, of="run_id")
    files = verified_files(store)
    _create(connection, "scores", files["scores"], SCORES, of="fingerprint", one_per="request_key, temperature")
    kind = "table" if token_rows else "view"
    _create(connection, "tokens", files["tokens"], TOKENS, of="fingerprint", one_per="request_key", kind=kind)


def verified_files(store: Store) -> Mapping[str, Sequence[Path]]:
    """The verified Parquet files of every part, by table: exactly what a query may read."""
    found: dict[str, list[Path]] = {"scores": [], "tokens": []}
    for fingerprint in store.fingerprints():
        for part in store.parts(fingerprint):
            both = {table: part.verified(table) for table in found}
            for table, path in both.items():
                if path is not None and all(both.values()):
                    found[table].append(path)
    return found


def _create(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    files: Sequence[Path],
    columns: pa.Schema,
    *,
    of: str,
    one_per: str = "",
    kind: str = "table",
) -> None:
    """A table or view over these files, or an empty table with these columns; `of` is what names their folder.

    `one_per` names what there is one row or group of rows of: where two files hold it, the one whose path sorts first
    counts.
    """
    if not files:
        connection.register("_empty", pa.schema([(of, pa.string()), *columns]).empty_table())
        connection.execute(f"create table {name} as select * from _empty")
        connection.unregister("_empty")
        return
    first = f"qualify rank() over (partition by {one_per} order by filename) = 1" if one_per else ""
    connection.execute(
        f"create {kind} {name} as select parse_path(filename)[-2] as {of}, * exclude (filename) "
        f"from read_parquet({_listed(files)}, filename=true, union_by_name=true) {first}"
    )


def _listed(files: Sequence[Path]) -> str:
    """File paths as a DuckDB list; a quote inside a path is doubled."""
    quoted = (str(path.resolve()).replace("'", "''") for path in files)
    return "[" + ", ".join(f"'{path}'" for path in quoted) + "]"
