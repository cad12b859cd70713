"""`results.duckdb`: the store as tables for any DuckDB client, built from the parts, the source of truth.

`runs` and `metrics` are real tables; `items`, `scores` and `tokens` are views over the files of runs and of verified
parts (or tables, in a file for sharing); `candidates` and `decisions` are views over these. It is built under a
temporary name and renamed, by one process at a time; the dashboard never opens it.
"""

from __future__ import annotations

import json
import logging
import tempfile
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Timer
from types import MappingProxyType
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import InputError, StoreError
from core.files.locks import locked
from core.settings import settings
from core.store.files import memoised_by_file, read_json, sha256, write_json
from core.store.parts import Part
from core.store.runs import whole
from core.store.scores import Scores
from core.store.store import Store
from core.store.visitors import EVERYTHING

_FILE = Path(__file__).with_name("schema.toml")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, its type in DuckDB, and one line on what it means."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, the meaning of a row, and its columns in order."""

    name: str
    about: str
    columns: tuple[Column, ...]

    @property
    def empty(self) -> str:
        """A SELECT without rows, with these names and types."""
        nothing = ", ".join(f'null::{column.type} as "{column.name}"' for column in self.columns)
        return f"select {nothing} where false"

    def names(self, *, but: str = "") -> str:
        """The columns' names as a list in SQL, without one of them."""
        return ", ".join(f'"{column.name}"' for column in self.columns if column.name != but)


SCHEMA: Mapping[str, Table] = MappingProxyType(
    {
        name: Table(name, table["about"], tuple(Column(c, *rest) for c, rest in table["columns"].items()))
        for name, table in tomllib.loads(_FILE.read_text("utf-8")).items()
    }
)
"""Tables by name, in the order in which they are shown."""


FILE = "filename"
_FROM_FOLDER = f"parse_path({FILE})[-2]"
"""The folder of a file: a condition on it decides which files are opened."""
_HERE = Path(__file__).parent
log = logging.getLogger(__name__)
_NO_ENDS = "select null::varchar as request_key, null::double as mass where false"
_footer = memoised_by_file(pq.read_metadata)


@dataclass(frozen=True, slots=True)
class Relation:
    """A table as a SELECT statement, and the files that it reads; `small` ones are copied."""

    name: str
    select: str
    files: tuple[Path, ...] = ()
    small: bool = False


def relations(
    store: Store,
    scratch: Path,
    *,
    lasting: bool = False,
    only: Collection[str] | None = None,
    whose: str = EVERYTHING,
) -> list[Relation]:
    """The tables of a store, each after those that it is made from.

    Tables that are in no Parquet file are written to the folder `scratch`, from which only `small` relations read.
    `lasting` ones are for later use: `items` then has the runs present at the time of the query (unless one is now
    damaged), and scores that ship with Pairlens are left out, since another version replaces them. `only`: scores and
    tokens of these fingerprints, by default of all. `whose`: of a visitor (`core.store.visitors`), the runs that are
    listed to her, and the scores and tokens that these name.
    """
    manifests = [json.loads(text) for text in store.runs(whose)["manifest"]]
    scores = Scores(store.folder) if lasting else store
    if only is None:
        only = {str(one["fingerprint"]) for one in manifests if one.get("fingerprint")}
        only |= {*scores.fingerprints()} if whose == EVERYTHING else set()
    parts = [part for fingerprint in sorted(only) for part in scores.parts(fingerprint) if part.whole()]
    runs = scratch / "runs.parquet"
    pq.write_table(_runs(manifests), runs)
    of_runs = [_of_runs(name, store, manifests, lasting=lasting) for name in ("items", "metrics")]
    stored = [*_of_parts(parts, scratch)]
    return [
        Relation("runs", f"select * from read_parquet({listed([runs])})", (runs,), small=True),
        *(of_runs + stored if whose == EVERYTHING else _named_by(of_runs, stored, scratch)),
        Relation("word_ends", _written("word_ends") if any(one.get("ends") for one in manifests) else _NO_ENDS),
        Relation("candidate_sums", _written("candidate_sums")),
        Relation("candidates", _written("candidates")),
        Relation("decisions", _written("decisions")),
    ]


def _written(name: str) -> str:
    return (_HERE / f"{name}.sql").read_text("utf-8")


def listed(files: Sequence[Path]) -> str:
    """File paths as a DuckDB list; a quote inside a path is doubled."""
    quoted = (str(path).replace("'", "''") for path in files)
    return "[" + ", ".join(f"'{path}'" for path in quoted) + "]"


def _runs(manifests: Sequence[Mapping[str, Any]]) -> pa.Table:
    """The table `runs`; fields that are missing from a manifest are null."""
    rows = [
        {
            **manifest,
            "compared_by": _compared_by(manifest.get("policy") or {}),
            "refused": list((manifest.get("refused") or {}).items()),
        }
        for manifest in manifests
    ]
    kinds = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "BOOLEAN": pa.bool_()}
    columns = {c.name: kinds.get(c.type, pa.map_(pa.string(), pa.string())) for c in SCHEMA["runs"].columns}
    return pa.table({name: pa.array([row.get(name) for row in rows], kind) for name, kind in columns.items()})


def _compared_by(policy: Mapping[str, Any]) -> str:
    if policy.get("sentence_value", "sum") == "sum":
        return "sum"
    return "mean of all tokens" if policy.get("first_token") == "one" else "mean of scored tokens"


def _of_runs(name: str, store: Store, manifests: Sequence[Mapping[str, Any]], *, lasting: bool = False) -> Relation:
    """`items` or `metrics`: one file in the folder of each run that has it."""
    table, folder = SCHEMA[name], (store.folder / "runs").resolve()
    tables = [folder / str(one["run_id"]) / f"{name}.parquet" for one in manifests]
    files = tuple(path for path in tables if _readable(path))
    if not files:
        return Relation(name, table.empty)
    everything = set(files) == set(folder.glob(f"[!.]*/{name}.parquet"))
    paths = [folder / "*" / f"{name}.parquet"] if lasting and everything else files
    rows = (
        f"select {_FROM_FOLDER} as run_id, * exclude ({FILE}) "
        f"from read_parquet({listed(paths)}, {FILE} = true, union_by_name = true)"
    )
    # `metrics` of a metric without, say, ties has no column for them
    whole = f"select {table.names()} from ({table.empty} union all by name {rows})"
    return Relation(name, whole, files)


def _readable(path: Path) -> bool:
    """Whether a run has this table; a damaged one is left out, so that the other runs can be read."""
    try:
        with whole(path):
            _footer(path)
    except FileNotFoundError:
        return False
    except StoreError as error:
        log.warning("%s It is left out.", error)
        return False
    return True


def _of_parts(parts: Sequence[Part], scratch: Path) -> Iterator[Relation]:
    """`scores` and `tokens`. If two parts hold a request, the first one counts; for tokens, the first with the masses
    at word ends, as in `Store.token_scores`.
    """
    scores = {part.file("scores").resolve(): part for part in parts}
    twice = held_twice(tuple(scores))
    yield from _without(superseded(twice, [*scores]), "scores", [*scores], scratch)
    holding = [scores[Path(name)] for name in twice[FILE].unique()]
    again = tokens_of([part.file("tokens").resolve() for part in holding], twice["request_key"])
    tokens = [part.file("tokens").resolve() for part in sorted(parts, key=lambda part: not part.about["boundary"])]
    yield from _without(superseded(again, tokens), "tokens", tokens, scratch)


def _named_by(of_runs: Sequence[Relation], stored: Sequence[Relation], scratch: Path) -> Iterator[Relation]:
    """Items, metrics, and the `scores` and `tokens` that these items name, in files of their own: a query may read no
    others, and DuckDB tells whoever asks where they are, which is not in the home folder.

    InputError if that takes more than the limits of a query.
    """
    with duckdb.connect(":memory:", config={"threads": 1, "temp_directory": ""}) as connection:
        connection.execute(f"set memory_limit = '{settings().sql_memory_mb}MB'")
        over = Timer(settings().sql_seconds, connection.interrupt)
        over.start()
        try:
            yield from _copied(connection, of_runs, stored, scratch)
        except duckdb.Error:
            raise InputError("Your runs have more scores than can be got ready for a query here.") from None
        finally:
            over.cancel()


def _copied(
    connection: duckdb.DuckDBPyConnection, of_runs: Sequence[Relation], stored: Sequence[Relation], scratch: Path
) -> Iterator[Relation]:
    for one in (*of_runs, *stored):
        connection.execute(f"create view {one.name} as {one.select}")
    connection.execute("create table named as select distinct fingerprint, request_key from items")
    for name, only in (
        ("items", ""), ("metrics", ""),
        *((name, "semi join named using (fingerprint, request_key)") for name in ("scores", "tokens")),
    ):  # fmt: skip
        path, rows = scratch / f"{name}.parquet", f"select * from {name} {only}"
        connection.execute(f"copy ({rows}) to {listed([path])[1:-1]} (format parquet)")
        yield Relation(name, f"select * from read_parquet({listed([path])})", (path,))


def _without(dropped: pd.DataFrame, name: str, files: Sequence[Path], scratch: Path) -> Iterator[Relation]:
    """A table of the rows of these files without the `dropped` ones, which become a table of their own."""
    columns = SCHEMA[name].names(but="fingerprint")
    rows = f"select {_FROM_FOLDER} as fingerprint, {columns} from read_parquet($files, {FILE} = true)"
    partly = set(dropped[FILE])
    whole = [file for file in files if str(file) not in partly]
    selects = [rows.replace("$files", listed(whole))] if whole else []
    if partly:
        path, table = scratch / f"superseded_{name}.parquet", f"superseded_{name}"
        dropped.to_parquet(path, index=False)
        yield Relation(table, f"select * from read_parquet({listed([path])})", (path,), small=True)
        twice = [file for file in files if str(file) in partly]
        keys = ", ".join(dropped.columns)
        selects.append(f"{rows.replace('$files', listed(twice))} anti join {table} using ({keys})")
    yield Relation(name, " union all ".join(selects) or SCHEMA[name].empty, tuple(files))


@lru_cache(maxsize=8)
def held_twice(files: tuple[Path, ...]) -> pd.DataFrame:
    """The rows that more than one of these score files has: filename, request_key, temperature.

    Parts rarely share a request (a text that was scored again, two processes at once), and never change: it is looked
    for once for a set of parts, and cached. Comparing hashes first costs a quarter of comparing keys.
    """
    rows = f"select {FILE}, request_key, temperature from read_parquet($files, {FILE} = true)"
    again = f"select hash(request_key, temperature) as h from ({rows}) group by h having count(*) > 1"
    rows_held = _asked(f"select * from ({rows}) where hash(request_key, temperature) in ({again})", files)
    return rows_held[rows_held.duplicated(["request_key", "temperature"], keep=False)]


def tokens_of(files: Sequence[Path], keys: pd.Series) -> pd.DataFrame:
    """Which of these requests are in which of these token files: filename, request_key."""
    rows_held = _asked(f"select distinct {FILE}, request_key from read_parquet($files, {FILE} = true)", files)
    return rows_held[rows_held["request_key"].isin(keys)]


def superseded(held: pd.DataFrame, files: Sequence[Path]) -> pd.DataFrame:
    """Of rows that several files hold, those that do not count because a file earlier in `files` holds them too."""
    place = held[FILE].map({str(file): place for place, file in enumerate(files)})
    keys = [held[column] for column in held.columns if column != FILE]
    return held[place > place.groupby(keys).transform("min")]


def _asked(query: str, files: Sequence[Path]) -> pd.DataFrame:
    if not files:
        return pd.DataFrame({FILE: pd.Series(dtype="str"), "request_key": pd.Series(dtype="str"), "temperature": []})
    with duckdb.connect(":memory:") as connection:
        return connection.execute(query, {"files": [*map(str, files)]}).df()


_LOCK_SECONDS = 60.0
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
