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
_METRICS = 'name varchar, group_by varchar, "group" varchar, value double, n bigint, low double, high double'
_DUCKDB_TYPES = {"string": "varchar", "double": "double", "int32": "integer"}


def build(store: Store, destination: Path | None = None, *, token_rows: bool = False) -> Path:
    """Write the catalogue and return its path; `token_rows` puts the tokens inside (for a file that travels).

    Raises StoreError when another process has been building it for a minute, or the file cannot be written.
    """
    target = destination or store.folder / "results.duckdb"
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.new")
    try:
        with FileLock(target.with_name(f".{target.name}.lock"), timeout=_LOCK_SECONDS):
            temporary.unlink(missing_ok=True)
            with duckdb.connect(str(temporary)) as connection:
                _fill(connection, store, token_rows)
            temporary.replace(target)
    except Timeout:
        raise StoreError(f"Another process is still writing {target}: try again in a minute.") from None
    except (duckdb.Error, OSError) as error:
        raise StoreError(f"{target} cannot be written: {error}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return target


def _fill(connection: duckdb.DuckDBPyConnection, store: Store, token_rows: bool) -> None:
    table = store.runs().drop(columns="manifest")
    connection.register("_runs", table)
    connection.execute("create table runs as select * from _runs")
    connection.unregister("_runs")
    folder = store.folder / "runs"
    _create_items(connection, sorted(folder.glob("*/items.parquet")))
    _create_metrics(connection, sorted(folder.glob("*/metrics.parquet")))
    files = verified_files(store)
    _create_scores(connection, files["scores"])
    _create_tokens(connection, files["tokens"], as_table=token_rows)


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


def _create_items(connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> None:
    if not files:
        connection.register("_items", pa.schema([("run_id", pa.string()), *runs.ITEMS]).empty_table())
        connection.execute("create table items as select * from _items")
        connection.unregister("_items")
        return
    connection.execute(
        "create table items as select parse_path(filename)[-2] as run_id, * exclude (filename) "
        f"from read_parquet({_listed(files)}, filename=true)"
    )


def _create_metrics(connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> None:
    if not files:
        connection.execute(f"create table metrics (run_id varchar, {_METRICS})")
        return
    connection.execute(
        "create table metrics as select parse_path(filename)[-2] as run_id, * exclude (filename) "
        f"from read_parquet({_listed(files)}, filename=true, union_by_name=true)"
    )


def _create_scores(connection: duckdb.DuckDBPyConnection, files: Sequence[Path]) -> None:
    """One row per request: where two parts hold it, that of the part whose path sorts first."""
    if not files:
        connection.execute(f"create table scores (fingerprint varchar, {_columns(SCORES)})")
        return
    connection.execute(
        "create table scores as select parse_path(filename)[-2] as fingerprint, * exclude (filename) "
        f"from read_parquet({_listed(files)}, filename=true) "
        "qualify row_number() over (partition by request_key, temperature order by filename) = 1"
    )


def _create_tokens(connection: duckdb.DuckDBPyConnection, files: Sequence[Path], *, as_table: bool) -> None:
    if not files:
        connection.execute(f"create table tokens (fingerprint varchar, {_columns(TOKENS)})")
        return
    connection.execute(
        f"create {'table' if as_table else 'view'} tokens as "
        "select parse_path(filename)[-2] as fingerprint, * exclude (filename) "
        f"from read_parquet({_listed(files)}, filename=true) "
        "qualify rank() over (partition by request_key order by filename) = 1"
    )


def _columns(schema: pa.Schema) -> str:
    return ", ".join(f'"{column.name}" {_DUCKDB_TYPES.get(str(column.type), "varchar")}' for column in schema)


def _listed(files: Sequence[Path]) -> str:
    """File paths as a DuckDB list; a quote inside a path is doubled."""
    quoted = (str(path.resolve()).replace("'", "''") for path in files)
    return "[" + ", ".join(f"'{path}'" for path in quoted) + "]"
