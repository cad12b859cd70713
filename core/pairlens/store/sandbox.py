"""Users' queries, answered from the store by a short-lived process that can do nothing else.

DuckDB's own limits do not hold against every query. So each has a process of its own (`sandbox_worker.py`), bounded
by the operating system, which this module ends when its time is over or the query is cancelled.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from threading import Lock, Semaphore, Timer
from typing import Any

import duckdb
import pandas as pd

from pairlens.errors import InputError
from pairlens.places import FOLDER
from pairlens.settings import settings
from pairlens.store import visitors
from pairlens.store.catalog import relations
from pairlens.store.store import Store

LONGEST = 20_000
_WORKER = Path(__file__).with_name("sandbox_worker.py")
_GRACE_SECONDS = 2.0
_MB = 1 << 20
_AT_ONCE = Semaphore(2)
"""Further queries wait: each may use as much memory as the limits allow."""
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT")
_REALS = ("FLOAT", "DOUBLE", "DECIMAL")
_LARGEST = 1 << 63


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a query. `answer_mb` bounds the answer in addition to the number of rows."""

    seconds: float
    rows: int
    memory_mb: int
    answer_mb: int = 16


def limits() -> Limits:
    chosen = settings()
    return Limits(chosen.sql_seconds, chosen.sql_rows, chosen.sql_memory_mb)


def why_off(*, shared: bool) -> str:
    """Why queries are off, as a sentence, or empty. `shared`: not only this machine's user can ask."""
    choice = settings().sql
    if sys.platform == "win32":
        return "Windows cannot bound what a query takes: use WSL, or open results.duckdb with a DuckDB client."
    if sys.platform == "darwin" and shared:
        return "macOS cannot bound the memory of a query: only this machine's user can ask."
    if choice == "off":
        return "Queries are switched off here (PAIRLENS_SQL=off)."
    if choice == "auto" and shared:
        return "Queries are off: this dashboard is shared; PAIRLENS_SQL=on would switch them on."
    return ""


class Query:
    """A query under way, for whoever asks now: it waits for its turn, then runs for `within.seconds` at most.
    `parameters` are values for `$name`, `only` as in `pairlens.store.catalog.relations`. InputError for an empty or
    overlong text.
    """

    def __init__(
        self,
        store: Store,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        within: Limits | None = None,
        only: Collection[str] | None = None,
    ) -> None:
        if not sql.strip():
            raise InputError("There is no query: type a SELECT.")
        if len(sql) > LONGEST:
            raise InputError(f"The query has {len(sql):,} characters, at most {LONGEST:,} are answered.")
        self.limits = within or limits()
        self._store, self._only, self._whose = store, only, visitors.current()
        self._asks = {"query": sql, "parameters": parameters or {}, "limits": asdict(self.limits)}
        self._lock, self._cancelled = Lock(), False
        self._process: subprocess.Popen[bytes] | None = None
        self._answer: Future[Answer] = _pool(self._whose).submit(self._run)

    @property
    def done(self) -> bool:
        return self._answer.done()

    def answer(self, seconds: float | None = None) -> Answer:
        """Wait for the answer; InputError says why there is none, TimeoutError ends the waiting after `seconds`."""
        return self._answer.result(seconds)

    def cancel(self) -> None:
        """End it now, wherever it is; `answer` then raises InputError."""
        with self._lock:
            self._cancelled = True
            if self._process:
                self._process.kill()

    def _run(self) -> Answer:
        with _AT_ONCE, tempfile.TemporaryDirectory() as scratch:
            job = self._job(Path(scratch))
            began, output = time.monotonic(), b""
            with self._lock:
                if not self._cancelled:
                    self._process = subprocess.Popen(
                        [sys.executable, "-I", str(_WORKER), str(Path(duckdb.__file__).parent.parent)],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                        env={"LC_ALL": "C.UTF-8"}, start_new_session=True,
                    )  # fmt: skip
            if process := self._process:
                assert process.stdin and process.stdout
                over = Timer(self.limits.seconds + _GRACE_SECONDS, process.kill)
                over.start()
                try:
                    with suppress(BrokenPipeError):  # the process was killed
                        process.stdin.write(job)
                        process.stdin.close()
                    output = process.stdout.read((self.limits.answer_mb + 1) * _MB)
                finally:
                    over.cancel()
                    process.kill()
                    process.wait()
                    process.stdout.close()
        if self._cancelled:
            raise InputError("The query was cancelled.")
        try:
            about, *rows = [json.loads(line) for line in output.split(b"\n")]
        except ValueError:  # it was killed
            seconds = self.limits.seconds
            late = time.monotonic() - began > seconds
            why = f"took longer than {seconds:g} seconds" if late else "needs more than it may use"
            raise InputError(f"The query {why} and was stopped: ask for less at once.") from None
        if "refused" in about:
            raise InputError(about["refused"])
        columns = tuple((name, kind) for name, kind in about["columns"])
        return Answer(columns, rows, about["truncated"], about["seconds"])

    def _job(self, scratch: Path) -> bytes:
        """The process's input; small tables are written to the folder `scratch`."""
        tables = relations(self._store, scratch, only=self._only, whose=self._whose)
        places = [str(folder) for folder in (self._store.folder.resolve(), scratch, FOLDER)]
        job = {
            **self._asks,
            "tables": [
                f"create {'table' if table.small else 'view'} {table.name} as {table.select}" for table in tables
            ],
            "files": [str(file) for table in tables if not table.small for file in table.files],
            "places": places,
            "hidden": [*places, str(Path.home())],
        }
        return json.dumps(job).encode()


@lru_cache(maxsize=64)
def _pool(whose: str) -> ThreadPoolExecutor:
    """Where a visitor's queries wait for each other, so that they take one turn of all."""
    return ThreadPoolExecutor(max_workers=1 if whose else 2, thread_name_prefix="query")


def ask(store: Store, sql: str, *arguments: Any, **named: Any) -> Answer:
    return Query(store, sql, *arguments, **named).answer()


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of a query; `columns` are names and DuckDB types. `truncated` if a limit cut the rows off."""

    columns: tuple[tuple[str, str], ...]
    rows: Sequence[Sequence[Any]]
    truncated: bool
    seconds: float

    def frame(self) -> pd.DataFrame:
        """The rows as a table: integers stay integers if some are missing, lists become JSON, names are unique."""
        columns: dict[str, pd.Series] = {}
        for place, (name, kind) in enumerate(self.columns):
            names = chain([name], (f"{name}_{number}" for number in count(2)))
            unique = next(name for name in names if name not in columns)
            columns[unique] = _column([row[place] for row in self.rows], kind)
        return pd.DataFrame(columns, index=pd.RangeIndex(len(self.rows)))


def _column(values: Sequence[Any], kind: str) -> pd.Series:
    if kind in _INTEGERS and all(value is None or abs(value) < _LARGEST for value in values):
        return pd.Series(values, dtype="Int64")
    if kind.startswith(_REALS) or kind in _INTEGERS:
        return pd.Series([None if value is None else float(value) for value in values], dtype="float64")
    if kind == "BOOLEAN":
        return pd.Series(values, dtype="boolean")
    texts = [value if isinstance(value, str | None) else json.dumps(value, ensure_ascii=False) for value in values]
    return pd.Series(texts, dtype="str")
