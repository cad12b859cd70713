"""`results.duckdb`: the store as tables for any DuckDB client, built from the parts, the source of truth.

`runs` and `metrics` are real tables; `items`, `scores` and `tokens` views over the files of runs and verified parts
(or tables, in a file for sharing); `candidates` and `decisions` views over these. The dashboard never opens it.
"""

import json
import logging
import tempfile
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Timer
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from pairlens.errors import InputError, StoreError
from pairlens.files.locks import locked
from pairlens.settings import settings
from pairlens.store.files import memoised_by_file, read_json, sha256, write_json
from pairlens.store.parts import Part
from pairlens.store.runs import whole
from pairlens.store.scores import Scores
from pairlens.store.store import Store
from pairlens.store.visitors import EVERYTHING

_HERE = Path(__file__).parent
SCHEMA: Mapping[str, Mapping[str, Any]] = tomllib.loads((_HERE / "schema.toml").read_text("utf-8"))
"""Tables by name, in the order in which they are shown: what a row is `about`, types and meanings of `columns`."""


def _empty(table: str) -> str:
    """A SELECT without rows, with the names and types of a table."""
    nothing = ", ".join(f'null::{kind} as "{name}"' for name, (kind, _) in SCHEMA[table]["columns"].items())
    return f"select {nothing} where false"


def _columns(table: str) -> str:
    """The columns' names as a list in SQL, but for the fingerprint of scores and tokens, which their folder has."""
    folder = "fingerprint" if table in ("scores", "tokens") else ""
    return ", ".join(f'"{name}"' for name in SCHEMA[table]["columns"] if name != folder)


FILE = "filename"
_FROM_FOLDER = f"parse_path({FILE})[-2]"
"""The folder of a file: a condition on it decides which files are opened."""
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
    """The tables of a store, each after those that it is made from; what is in no Parquet file is written to
    `scratch`.

    `lasting` ones are for later use: `items` then has the runs present at the time of the query, and scores that ship
    with Pairlens are left out. `only`: scores and tokens of these fingerprints. `whose`: of a visitor
    (`pairlens.store.visitors`), the runs that are listed to her, and the scores and tokens that these name.
    """
    manifests = [json.loads(text) for text in store.runs(whose)["manifest"]]
    scores = Scores(store.folder) if lasting else store
    if only is None:
        only = {str(manifest["fingerprint"]) for manifest in manifests if manifest.get("fingerprint")}
        only |= {*scores.fingerprints()} if whose == EVERYTHING else set()
    parts = [part for fingerprint in sorted(only) for part in scores.parts(fingerprint) if part.whole()]
    runs = scratch / "runs.parquet"
    pq.write_table(_runs(manifests), runs)
    of_runs = [_of_runs(name, store, manifests, lasting=lasting) for name in ("items", "metrics")]
    stored = [*_of_parts(parts, scratch)]
    views = ("word_ends", "candidate_sums", "candidates", "decisions")
    statements = {name: (_HERE / f"{name}.sql").read_text("utf-8") for name in views}
    if not any(manifest.get("ends") for manifest in manifests):
        statements["word_ends"] = _NO_ENDS
    first = Relation("runs", f"select * from read_parquet({listed([runs])})", (runs,), small=True)
    data = of_runs + stored if whose == EVERYTHING else _named_by(of_runs, stored, scratch)
    return [first, *data, *(Relation(name, select) for name, select in statements.items())]


def listed(files: Sequence[Path]) -> str:
    """File paths as a DuckDB list; a quote inside a path is doubled."""
    quoted = (str(path).replace("'", "''") for path in files)
    return "[" + ", ".join(f"'{path}'" for path in quoted) + "]"


def _runs(manifests: Sequence[Mapping[str, Any]]) -> pa.Table:
    """The table `runs`; fields that are missing from a manifest are null."""
    rows = []
    for manifest in manifests:
        policy = manifest.get("policy") or {}
        mean = "mean of all tokens" if policy.get("first_token") == "one" else "mean of scored tokens"
        compared_by = "sum" if policy.get("sentence_value", "sum") == "sum" else mean
        rows.append({**manifest, "compared_by": compared_by, "refused": [*(manifest.get("refused") or {}).items()]})
    kinds = {"VARCHAR": pa.string(), "BIGINT": pa.int64(), "DOUBLE": pa.float64(), "BOOLEAN": pa.bool_()}
    columns = SCHEMA["runs"]["columns"].items()
    types = {name: kinds.get(kind, pa.map_(pa.string(), pa.string())) for name, (kind, _) in columns}
    return pa.table({name: pa.array([row.get(name) for row in rows], kind) for name, kind in types.items()})


def _of_runs(name: str, store: Store, manifests: Sequence[Mapping[str, Any]], *, lasting: bool = False) -> Relation:
    folder = (store.folder / "runs").resolve()
    readable = []
    for path in (folder / str(manifest["run_id"]) / f"{name}.parquet" for manifest in manifests):
        try:
            with suppress(FileNotFoundError), whole(path):
                _footer(path)
                readable.append(path)
        except StoreError as error:  # a damaged one is left out, so that the other runs can be read
            log.warning("%s It is left out.", error)
    if not readable:
        return Relation(name, _empty(name))
    everything = {*readable} == {*folder.glob(f"[!.]*/{name}.parquet")}
    paths = [folder / "*" / f"{name}.parquet"] if lasting and everything else readable
    read = f"read_parquet({listed(paths)}, {FILE} = true, union_by_name = true)"
    rows = f"select {_FROM_FOLDER} as run_id, * exclude ({FILE}) from {read}"
    # `metrics` of a metric without, say, ties has no column for them
    select = f"select {_columns(name)} from ({_empty(name)} union all by name {rows})"
    return Relation(name, select, tuple(readable))


def _of_parts(parts: Sequence[Part], scratch: Path) -> Iterator[Relation]:
    """`scores` and `tokens`. Of parts with one request the first counts; for tokens, one with masses at word ends."""
    scores = {part.file("scores").resolve(): part for part in parts}
    twice = held_twice(tuple(scores))
    yield from _without(superseded(twice, [*scores]), "scores", [*scores], scratch)
    holding = [scores[Path(name)] for name in twice[FILE].unique()]
    query = f"select distinct {FILE}, request_key from read_parquet($files, {FILE} = true)"
    again = _asked(query, [part.file("tokens").resolve() for part in holding])
    again = again[again["request_key"].isin(twice["request_key"])]
    tokens = [part.file("tokens").resolve() for part in sorted(parts, key=lambda part: not part.about["boundary"])]
    yield from _without(superseded(again, tokens), "tokens", tokens, scratch)


def _named_by(of_runs: Sequence[Relation], stored: Sequence[Relation], scratch: Path) -> Iterator[Relation]:
    """Items, metrics, and the `scores` and `tokens` that these items name, copied: a query may read no others, and
    DuckDB tells where its files are. InputError if that takes more than the limits of a query.
    """
    with duckdb.connect(":memory:", config={"threads": 1, "temp_directory": ""}) as connection:
        connection.execute(f"set memory_limit = '{settings().sql_memory_mb}MB'")
        over = Timer(settings().sql_seconds, connection.interrupt)
        over.start()
        try:
            for one in (*of_runs, *stored):
                connection.execute(f"create view {one.name} as {one.select}")
            connection.execute("create table named as select distinct fingerprint, request_key from items")
            only = "semi join named using (fingerprint, request_key)"
            for name, rows in (("items", ""), ("metrics", ""), ("scores", only), ("tokens", only)):
                path = scratch / f"{name}.parquet"
                connection.execute(f"copy (select * from {name} {rows}) to {listed([path])[1:-1]} (format parquet)")
                yield Relation(name, f"select * from read_parquet({listed([path])})", (path,))
        except duckdb.Error:
            raise InputError("Your runs have more scores than can be got ready for a query here.") from None
        finally:
            over.cancel()


def _without(dropped: pd.DataFrame, name: str, files: Sequence[Path], scratch: Path) -> Iterator[Relation]:
    """A table of the rows of these files without the `dropped` ones, which become a table of their own."""
    rows = f"select {_FROM_FOLDER} as fingerprint, {_columns(name)} from read_parquet($files, {FILE} = true)"
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
    yield Relation(name, " union all ".join(selects) or _empty(name), tuple(files))


@lru_cache(maxsize=8)
def held_twice(files: tuple[Path, ...]) -> pd.DataFrame:
    """The rows that more than one of these score files has: filename, request_key, temperature; cached, since parts
    never change. Comparing hashes first costs a quarter of comparing keys.
    """
    rows = f"select {FILE}, request_key, temperature from read_parquet($files, {FILE} = true)"
    again = f"select hash(request_key, temperature) as h from ({rows}) group by h having count(*) > 1"
    rows_held = _asked(f"select * from ({rows}) where hash(request_key, temperature) in ({again})", files)
    return rows_held[rows_held.duplicated(["request_key", "temperature"], keep=False)]


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
    """Write the catalogue and return its path; `token_rows` puts all rows inside, for a file to be shared. StoreError
    after a minute of waiting for another process, or if the file cannot be written.
    """
    target = destination or store.folder / "results.duckdb"
    temporary = target.with_name(f".{target.name}.new")
    busy = StoreError(f"Another process is still writing {target}: try again in a minute.")
    try:
        with locked(target.with_name(f".{target.name}.lock"), _LOCK_SECONDS, busy):
            try:
                temporary.unlink(missing_ok=True)
                with duckdb.connect(str(temporary)) as connection, tempfile.TemporaryDirectory() as scratch:
                    for relation in relations(store, Path(scratch), lasting=True):
                        copied = (
                            relation.small or relation.name == "metrics" or (token_rows and relation.name in _LARGE)
                        )
                        kind = "table" if copied else "view"
                        connection.execute(f"create {kind} {relation.name} as {relation.select}")
                content = sha256(temporary)
                temporary.replace(target)
                if destination is None:
                    write_json(store.folder / "results.json", {"sha256": content})
            finally:
                temporary.unlink(missing_ok=True)
    except (duckdb.Error, OSError) as error:
        raise StoreError(f"{target} cannot be written: {str(error).partition(chr(10))[0]}") from error
    return target


def is_intact(store: Store) -> bool:
    """Whether `results.duckdb` is as it was built, or missing: it may be deleted."""
    path, stated = store.folder / "results.duckdb", read_json(store.folder / "results.json")
    return not path.exists() or (stated is not None and sha256(path) == stated["sha256"])


def publish(store: Store) -> None:
    """Build it after a change; if that fails, which does not affect the store, log a warning."""
    try:
        build(store)
    except StoreError as error:
        log.warning("The tables for other programs could not be updated: %s", error)
